// `npm run -s retail:mcp`: the retail desk as an MCP server over standard input and output, which nothing else may write to.
import { buildAgainstPackage } from './build.mjs';
import { run } from './process.mjs';

await buildAgainstPackage('samples');
process.exitCode = run(process.execPath, ['build/samples/20-retail-desk/mcp.js']);
