// One prompt as an MCP server: over standard input and output, and over HTTP for two shops.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ProgressNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createApplication, Session } from 'toolwright';
import { serveMcp } from '@toolwright/mcp';
import { Desk, DeskParams, userApproves } from './Desk.js';

/** Serves an MCP client that starts this program. Everything else is printed on standard error. */
async function serve(): Promise<void> {
  const app = await createApplication({ prompts: [Desk], approver: userApproves });
  const server = serveMcp(app, app.prompt(Desk));
  await server.connectStdio();
  await server.closed;
  await app.close();
}

/** Serves several shops over HTTP: the principal decides the shop and the tags of the session. */
async function serveShops() {
  const app = await createApplication({ prompts: [Desk], approver: userApproves });
  const shops = new Map([
    ['Bearer north', 'the North Store'],
    ['Bearer south', 'the South Store'],
  ]);
  const server = serveMcp(
    app,
    ({ principal }) => app.prompt(Desk).bind(DeskParams, { shop: principal ?? 'no store' }),
    {
      session: ({ principal }) => new Session({ tags: { shop: principal ?? 'none' } }),
      http: { principal: ({ headers }) => shops.get(headers['authorization'] ?? '') },
    },
  );
  return { app, server, url: await server.listen() };
}

const named = (name: string): Client => new Client({ name, version: '1.0.0' }, { capabilities: { elicitation: {} } });

const textOf = (result: object): string =>
  (result as { readonly content?: readonly { readonly text: string }[] }).content?.[0]?.text ?? '';

async function overStdio(): Promise<void> {
  console.log('--- A process of its own ---');
  const client = named('sample');
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    console.log(`asked: ${params.message}`);
    return { action: 'accept' };
  });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [__filename, 'stdio'] }));
  console.log(client.getInstructions()?.split('\n')[2]);

  const names = async () => (await client.listTools()).tools.map(({ name }) => name).join(', ');
  console.log(`tools: ${await names()}`);
  console.log((await client.callTool({ name: 'get_order', arguments: { orderId: '#W1' } })).structuredContent);
  const refused = await client.callTool({ name: 'get_order', arguments: { orderId: '#W2' } });
  assert.equal(refused.isError, true);
  console.log(`✗ ${textOf(refused)}`);
  client.setNotificationHandler(ProgressNotificationSchema, ({ params: { progress, message } }) => {
    console.log(`… ${message ?? ''} ${progress.toFixed()} %`);
  });
  await client.callTool({ name: 'pack_order', arguments: { orderId: '#W1' }, _meta: { progressToken: 'packing' } });

  client.setNotificationHandler(ToolListChangedNotificationSchema, () => console.log('the list of tools has changed'));
  const sections = { section_keys: ['orders.cancelling'], reason: 'The customer wants to cancel.' };
  await client.callTool({ name: 'open_sections', arguments: sections });
  console.log(`tools: ${await names()}`);
  console.log(textOf(await client.callTool({ name: 'cancel_order', arguments: { orderId: '#W1' } })));
  await client.close();
}

async function overHttp(): Promise<void> {
  console.log('--- Two shops over HTTP ---');
  const { app, server, url } = await serveShops();
  for (const authorization of ['Bearer north', 'Bearer south']) {
    const client = named('sample');
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } });
    await client.connect(transport);
    const { messages } = await client.getPrompt({ name: 'desk', arguments: {} });
    const [message] = messages;
    console.log(message?.content.type === 'text' && message.content.text.split('\n')[2]);

    // The id of a session is useless to another principal.
    const stolen = { 'mcp-session-id': transport.sessionId ?? '', authorization: 'Bearer eve' };
    const { status } = await fetch(url, { method: 'DELETE', headers: stolen });
    assert.equal(status, 404);
    await client.close();
  }
  await server.close();
  await app.close();
}

async function main(): Promise<void> {
  if (process.argv[2] === 'stdio') return serve();
  await overStdio();
  await overHttp();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
