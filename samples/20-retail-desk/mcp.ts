// `npm run -s retail:mcp`: the desk as an MCP server over standard input and output, with the shop that `generate.ts` generates.
import 'reflect-metadata';
import { generateRetailData } from './generate.js';
import { createRetailServer } from './mcpServer.js';
import { RetailStore } from './store/RetailStore.js';

async function main(): Promise<void> {
  const { app, server } = await createRetailServer(RetailStore.of(generateRetailData(20)));
  await server.connectStdio();
  await server.closed;
  await app.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
