import { execFile, spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { closeAll, closing, INITIALIZE, message } from '../support/serverKit';
import { ServerProgram } from '../support/serverProcess';
import { accept, stateless, STATELESS } from '../support/statelessKit';

jest.setTimeout(120_000);
const program = new ServerProgram();
afterEach(closeAll);
afterAll(() => program.remove());

describe('a server of its own process', () => {
  test('a server in its own process speaks with the official client', async () => {
    const client = closing(new Client({ name: 'test-client', version: '1.0.0' }));
    await client.connect(
      new StdioClientTransport({ command: program.command, args: [...program.args], stderr: 'ignore' }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('test_simple_text');
    expect(await client.callTool({ name: 'test_simple_text' })).toEqual({
      content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
    });
    // Not by `onprogress`: the client drops progress that arrives together with the answer.
    const steps: unknown[] = [];
    client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => void steps.push(params));
    await client.callTool({ name: 'test_tool_with_progress', _meta: { progressToken: 'p' } });
    expect(steps).toEqual([0, 50, 100].map((progress) => ({ progressToken: 'p', progress, total: 100 })));
  });

  test('MCP-10 a client without sessions is answered over standard input, and asked by results', async () => {
    const ask = (method: string, id: number, params = {}): string => stateless(method, { params, id }).body;
    const elicitation = { name: 'test_input_required_result_elicitation' };
    const lines = [
      ask('server/discover', 1),
      ask('tools/call', 2, { name: 'test_simple_text' }),
      ask('tools/call', 3, elicitation),
      ask('tools/call', 4, { ...elicitation, inputResponses: { user_name: accept({ name: 'Ada' }) } }),
    ];
    const { code, stdout } = await said(`${lines.join('\n')}\n`);
    expect(code).toBe(0);
    expect(stdout).toContain(`"supportedVersions":["${STATELESS}"]`);
    expect(stdout).toContain('This is a simple text response for testing.');
    expect(stdout).toContain('"resultType":"input_required"');
    expect(stdout).toContain('Hello, Ada!');
  });

  test('MCP-06 lines that are no messages are passed over, and it ends when its input does', async () => {
    const lines = [
      'no json',
      '{"jsonrpc":"2.0"}',
      '',
      message('initialize', INITIALIZE, 0),
      message('notifications/initialized'),
      message('tools/call', { name: 7 }, 1),
      message('tools/call', { name: 'test_simple_text' }, 2),
    ];
    const { code, stdout, stderr } = await said(`${lines.join('\n')}\n`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'closed\n' });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly id: number; readonly error?: { readonly code: number } });
    // Each is answered when it can be: what is refused needs no rendering.
    expect(new Map(answers.map(({ id, error }) => [id, error?.code]))).toEqual(
      new Map([
        [1, -32602],
        [0, undefined],
        [2, undefined],
      ]),
    );
    expect(answers).toHaveLength(3);
  });

  test('MCP-06 a line without an end does not fill its memory: it closes', async () => {
    const { code, stderr } = await said('x'.repeat(11 * 1024 * 1024), 'keep open');
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'closed\n' });
  });
});

/** The output of the program for an input. */
function said(
  input: string,
  then: 'end' | 'keep open' = 'end',
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(program.command, program.args, { stdio: 'pipe' });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    // It may be gone before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.write(input);
    if (then === 'end') child.stdin.end();
  });
}

describe("the official inspector's command line", () => {
  const inspector = program.inspector();
  const inspect = (...args: readonly string[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [inspector, '--cli', program.command, ...program.args, ...args],
        { maxBuffer: 16 * 1024 * 1024 },
        (error, stdout, stderr) => {
          if (error === null) resolve(JSON.parse(stdout));
          else reject(new Error(`${stdout}${stderr}`));
        },
      );
    });

  test('the official inspector lists tools', async () => {
    const { tools } = (await inspect('--method', 'tools/list')) as { readonly tools: readonly { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['test_simple_text', 'test_sampling']));
  });

  test('the official inspector calls a tool', async () => {
    expect(await inspect('--method', 'tools/call', '--tool-name', 'test_simple_text')).toEqual({
      content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
    });
  });
});
