import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { closeAll, closing } from '../support/serverKit.js';
import { ServerProgram } from '../support/serverProcess.js';

jest.setTimeout(120_000);
const program = new ServerProgram();
afterEach(closeAll);
afterAll(() => program.remove());

/** A server whose tools write to its output in every way, with the default logger; it tells what came back after its end. */
const NOISY = `
const { createApplication, definePrompt, defineSection, defineTool } = require('toolwright');
const { serveMcp } = require('@toolwright/mcp');
const shout = defineTool({ name: 'shout', description: 'Shouts.', handler: (_params, { logger }) => {
  console.log('said by console.log');
  console.info({ said: 'by console.info' });
  process.stdout.write('said by write\\n');
  logger.warn('said by the logger');
  return 'shouted';
} });
const fail = defineTool({ name: 'fail', description: 'Fails.', handler: () => { throw new Error('no'); } });
const section = defineSection({ key: 'desk', title: 'Desk', template: 'Help.', tools: [shout, fail] });
const prompt = definePrompt({ ns: 'n', key: 'k', sections: [section] });
createApplication({ prompts: [prompt] }).then(async (app) => {
  const before = process.stdout.write;
  const server = serveMcp(app, app.prompt(prompt));
  await server.connectStdio();
  console.log('said while it is open');
  await server.closed;
  console.error(process.stdout.write === before ? 'given back' : 'kept');
});
`;

describe('TRACE-15b text on the standard output of an MCP server', () => {
  test('TRACE-15b text on the standard output of an MCP server does not reach the client: it is on standard error, and the output is given back at the end', async () => {
    const transport = new StdioClientTransport({
      command: program.command,
      args: [program.add('noisy.js', NOISY)],
      stderr: 'pipe',
    });
    let said = '';
    transport.stderr?.on('data', (part: Buffer) => (said += part.toString()));
    const ended = new Promise((resolve) => transport.stderr?.on('close', resolve));
    const client = closing(new Client({ name: 'test-client', version: '1.0.0' }));
    const faults: Error[] = [];
    client.onerror = (error) => void faults.push(error);
    await client.connect(transport);
    const shouted = { content: [{ type: 'text', text: 'shouted' }] };
    expect(await client.callTool({ name: 'shout' })).toEqual(shouted);
    expect(await client.callTool({ name: 'fail' })).toMatchObject({ isError: true });
    expect(await client.callTool({ name: 'shout' })).toEqual(shouted);
    await client.close();
    await ended;
    expect(faults).toEqual([]);
    for (const text of [
      'by console.log',
      "{ said: 'by console.info' }",
      'by write',
      'by the logger',
      'while it is open',
    ])
      expect(said).toContain(text);
    expect(said.match(/went to standard error/g)).toHaveLength(1);
    expect(said.trimEnd().endsWith('given back')).toBe(true);
  });
});
