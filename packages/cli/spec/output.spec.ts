import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { bin, built, CliProject, shop } from './support/CliProject';
import { runHere } from './support/inProcess';

const root = resolve(__dirname, '../../..');
const ACTIVE = /(?![\n\t\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Clears the screen, moves the cursor, renames the window, reverses text, hides text, and begins a line. */
const EVIL = 'x\u001b[2J\u001b[H\u009b1A\u001b]0;t\u0007\u202egpj\u2066\u{e0041}\r\nE999: owned';

/** Writes in every way in which a module reaches standard output through its stream. */
const print = (when: string) => `
  console.log('${when} log');
  console.info('${when} info');
  process.stdout.write('${when} write\\n');
  out.write(Buffer.from('${when} bytes\\n'));
  Writable.prototype.write.call(out, '${when} below\\n');
  new Console(process.stdout).table([{ ${when}: 1 }]);
  console.dir({ ${when}: true });
`;

let project: CliProject;
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
  project = new CliProject(built(shop));
  project.write(
    'noisy.config.js',
    `import { stdout as out } from 'node:process';
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import config, { session as plain } from './toolwright.config.js';
${print('loaded')}
export const session = () => {
  ${print('session')}
  process.stdout.end('ended\\n');
  return plain();
};
export default async (input) => {
  ${print('created')}
  setTimeout(() => console.log('later'), 1);
  return config(input);
};
`,
  );
}, 600_000);
afterAll(() => {
  project.close();
});

describe('--json', () => {
  test.each([
    [['render']],
    [['tools']],
    [['tools', '--format', 'openai']],
    [['call', 'send_letter', '{"article":"tea"}', '--commit']],
    [['call', 'nothing', '{}']],
    [['check']],
    [['doctor']],
    [['replay', 'nowhere.jsonl']],
    [['render', '--nonsense']],
    [['tools', '--format', 'xml']],
  ])(
    '--json prints only valid JSON on standard output, whatever a module prints: %j',
    async (args) => {
      const { out, err } = await project.run([...args, '--json', '--app', 'noisy.config.js']);
      const said = JSON.parse(out) as unknown;
      expect(said).toEqual(expect.anything());
      if (['render', 'tools', 'call'].includes(args[0] ?? '') && !args.includes('--nonsense') && !args.includes('xml'))
        for (const printed of ['loaded log', 'loaded below', 'created write', 'session bytes', 'ended'])
          expect(err).toContain(printed);
    },
    60_000,
  );

  test('run: each line is JSON, the error at the end as well', async () => {
    const good = await project.run(['run', 'Tea', '--script', 'replies.json', '--json', '--app', 'noisy.config.js']);
    expect(
      good.out
        .trim()
        .split('\n')
        .map((each) => (JSON.parse(each) as { kind: string }).kind),
    ).toContain('done');
    project.write('short.json', '[{ "toolCalls": [{ "name": "place_order", "arguments": { "article": "tea" } }] }]');
    const { out, code } = await project.run([
      'run',
      'Tea',
      '--script',
      'short.json',
      '--json',
      '--app',
      'noisy.config.js',
    ]);
    const lines = out
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as { kind?: string; error?: object });
    expect(lines.at(-1)).toMatchObject({ error: { message: expect.any(String) as unknown } });
    expect(lines.length).toBeGreaterThan(1);
    expect(code).toBe(1);
  }, 60_000);

  test('an error that is never caught is JSON as well', async () => {
    project.write(
      'late.config.js',
      `import config from './toolwright.config.js';
export { session } from './toolwright.config.js';
export default async (input) => {
  setTimeout(() => { throw new RangeError('late \\u001b[2J'); }, 1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  return config(input);
};
`,
    );
    const { out, code } = await project.run(['tools', '--json', '--app', 'late.config.js']);
    expect(JSON.parse(out)).toMatchObject({ error: { message: 'late \u001b[2J' } });
    expect(code).toBe(1);
    const shown = await project.run(['tools', '--app', 'late.config.js']);
    expect(shown.err).toContain('late \\u001b[2J');
    expect(shown.err).not.toMatch(ACTIVE);
  }, 60_000);

  test('serve --mcp keeps the output of a module out of the protocol', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [bin, 'serve', '--mcp', '--app', 'noisy.config.js'],
      cwd: project.folder,
      stderr: 'ignore',
    });
    const faults: unknown[] = [];
    const client = new Client({ name: 'spec', version: '1' });
    client.onerror = (error) => faults.push(error);
    try {
      await client.connect(transport);
      const called = await client.callTool({ name: 'send_letter', arguments: { article: 'tea' } });
      expect(called).toMatchObject({ content: [{ type: 'text', text: 'Sent tea.' }] });
      expect(faults).toEqual([]);
    } finally {
      await client.close();
    }
  }, 60_000);
});

describe('serve --mcp and the copies of a package', () => {
  const body = `
    const refund = defineTool({ name: 'refund', description: 'Refunds.', handler: (_params, context) => 'for ' + String(McpClient.of(context) !== undefined) });
    const Money = defineSection({ key: 'money', title: 'Money', visibility: 'summary', summary: 'Money back.', template: 'Pay it back.', tools: [refund] });
    const Desk = definePrompt({ ns: 'n', key: 'desk', sections: [Money] });
  `;
  test.each([
    [
      'an ES module',
      'copies.config.mjs',
      `import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
       import { McpClient } from '@toolwright/mcp';
       ${body}
       export default () => createApplication({ prompts: [Desk] });`,
    ],
    [
      'a CommonJS module',
      'copies.config.cjs',
      `const { createApplication, definePrompt, defineSection, defineTool } = require('toolwright');
       const { McpClient } = require('@toolwright/mcp');
       ${body}
       module.exports = { default: () => createApplication({ prompts: [Desk] }) };`,
    ],
  ])(
    'the sections of %s can be opened, and its handlers know their client',
    async (_what, file, text) => {
      project.write(file, text);
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [bin, 'serve', '--mcp', '--app', file],
        cwd: project.folder,
        stderr: 'ignore',
      });
      const client = new Client({ name: 'spec', version: '1' });
      try {
        await client.connect(transport);
        const opened = await client.callTool({
          name: 'open_sections',
          arguments: { section_keys: ['money'], reason: 'To refund.' },
        });
        expect(JSON.stringify(opened.content)).toContain('Pay it back.');
        const refunded = await client.callTool({ name: 'refund', arguments: {} });
        expect(refunded.content).toEqual([{ type: 'text', text: 'for true' }]);
      } finally {
        await client.close();
      }
    },
    60_000,
  );
});

describe('an output that cannot be written', () => {
  /** Runs a command whose standard output is a full disk. */
  const full = (...args: readonly string[]) =>
    project.exec('sh', ['-c', '"$0" "$@" > /dev/full', process.execPath, bin, ...args]);

  test.each([
    ['render'],
    ['tools', '--json'],
    ['check', '--format', 'sarif'],
    ['call', 'send_letter', '{"article":"tea"}', '--commit'],
    ['run', 'Tea', '--script', 'replies.json'],
    ['trace', 'gone.jsonl', '--json'],
    ['explain', 'E304'],
    ['--version'],
  ])(
    '%s %s: says so, and exits with 2',
    async (...args) => {
      const { code, err } = await full(...args);
      expect(err).toMatch(/^E970 standard output: no space left on device.*\n {2}fix: Free space/m);
      expect(code).toBe(2);
    },
    60_000,
  );

  test('a recording that cannot be written exits with 2', async () => {
    const { code, err } = await project.run(['run', 'Tea', '--script', 'replies.json', '--record', '/dev/full']);
    expect(err).toMatch(/^E970 \/dev\/full: no space left on device/m);
    expect(code).toBe(2);
  }, 60_000);
});

describe('texts of others in the terminal', () => {
  const bundle = [
    { kind: 'bundle', format: 'toolwright/bundle', version: 1, createdAt: 0, versions: {} },
    { kind: 'run', seq: 0, time: 0, run: `r${EVIL}`, prompt: EVIL, adapter: EVIL, session: 's', metadata: {} },
    { kind: 'request', seq: 1, time: 0, run: `r${EVIL}`, turn: 1, count: 1, messages: [] },
    {
      kind: 'answer',
      seq: 2,
      time: 0,
      of: 1,
      run: `r${EVIL}`,
      turn: 1,
      durationMs: 1,
      text: EVIL,
      toolCalls: [],
      finishReason: 'stop',
    },
    {
      kind: 'call',
      seq: 3,
      time: 0,
      run: `r${EVIL}`,
      session: 's',
      turn: 1,
      callId: EVIL,
      name: EVIL,
      caller: 'program',
      arguments: { [EVIL]: EVIL },
    },
    { kind: 'attempt', seq: 4, time: 0, of: 3, attempt: 2 },
    { kind: 'program', seq: 5, time: 0, of: 3, attempt: 1, code: EVIL, tools: [EVIL] },
    { kind: 'resources', seq: 6, time: 0, of: 3, attempt: 1, resources: [{ name: EVIL }] },
    { kind: 'state', seq: 7, time: 0, of: 3, session: 's', appended: { [EVIL]: [1] }, replaced: { [EVIL]: [2] } },
    { kind: 'outcome', seq: 8, time: 0, of: 3, outcome: 'failed', text: EVIL, durationMs: 1, rolledBack: false },
    { kind: 'end', seq: 9, time: 0, run: `r${EVIL}`, how: 'failed', durationMs: 1, messages: [], problem: EVIL },
  ];
  const transcript = [
    { format: 'toolwright/transcript', version: 1 },
    { role: 'user', content: EVIL },
    { role: 'assistant', content: EVIL, toolCalls: [{ id: EVIL, name: EVIL, arguments: { a: EVIL } }] },
    { role: 'tool', toolCallId: EVIL, name: EVIL, content: EVIL, failed: false },
  ];
  const lines = (entries: readonly object[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

  beforeAll(() => {
    project.write('evil.jsonl', lines(bundle));
    project.write('evil.transcript.jsonl', lines(transcript));
    project.write('evil.json', JSON.stringify([{ toolCalls: [{ name: EVIL, arguments: { article: EVIL } }] }, EVIL]));
    project.write(
      'order.json',
      JSON.stringify([{ toolCalls: [{ name: 'place_order', arguments: { article: EVIL } }] }, EVIL]),
    );
  });

  test.each([
    ['trace of a bundle', ['trace', 'evil.jsonl']],
    ['trace of a transcript', ['trace', 'evil.transcript.jsonl']],
    ['trace as JSON', ['trace', 'evil.jsonl', '--json']],
    ['a file that is not there', ['trace', EVIL.replace('\r\n', '\n')]],
    ['an option', ['trace', `--${EVIL}`]],
    ['a command', [EVIL]],
    ['a code', ['explain', EVIL]],
  ])('foreign texts are escaped in the output of %s', async (_which, args) => {
    const { out, err } = await runHere(project.folder, args);
    expect(`${out}${err}`).not.toMatch(ACTIVE);
    expect(`${out}${err}`).toContain('\\u001b');
    expect(`${out}${err}`).not.toMatch(/^E999/m);
  });

  test('trace: each of the fields is shown, and each node has one line', async () => {
    const { out } = await runHere(project.folder, ['trace', 'evil.jsonl']);
    expect(out.trimEnd().split('\n')).toHaveLength(7);
    expect(out.match(/\\u202egpj/g)?.length).toBeGreaterThanOrEqual(11);
  });

  test.each([
    ['run: the name, arguments and texts of a model', ['run', EVIL, '--script', 'evil.json']],
    ['run: the text of a tool', ['run', EVIL, '--script', 'order.json', '--record', 'evil.out.jsonl']],
    ['run: events as JSON', ['run', EVIL, '--script', 'order.json', '--json']],
    ['call: arguments and result', ['call', 'place_order', JSON.stringify({ article: EVIL })]],
    ['call: a tool that is not there', ['call', EVIL, '{}']],
    ['call: JSON that is wrong', ['call', 'place_order', EVIL]],
    ['replay: a transcript that differs', ['replay', 'evil.transcript.jsonl']],
    ['render: a parameter', ['render', '--param', `${EVIL}=1`]],
    ['render: a prompt', ['render', '--prompt', EVIL]],
    ['render: an export', ['render', '--app', `toolwright.config.js#${EVIL}`]],
  ])(
    'texts of others are escaped in the terminal: %s',
    async (_which, args) => {
      const { out, err } = await project.run(args);
      expect(`${out}${err}`).not.toMatch(ACTIVE);
      expect(`${out}${err}`).toContain('\\u001b');
      // The answer of the model and the text of the tool are data, and may have several lines.
      expect(err).not.toMatch(/^E999/m);
    },
    60_000,
  );
});

describe('output into a file', () => {
  const intoFile = async (args: readonly string[]): Promise<string> => {
    const command = [process.execPath, bin, ...args].map((arg) => `'${arg}'`).join(' ');
    const { code } = await project.exec('sh', ['-c', `(echo first; ${command}; echo last) > out.txt`]);
    expect(code).toBe(0);
    return readFileSync(join(project.folder, 'out.txt'), 'utf8');
  };

  test.each([
    ['many writes', ['run', 'Tea', '--script', 'replies.json', '--json']],
    ['text', ['run', 'Tea', '--script', 'replies.json']],
    ['findings', ['doctor']],
    ['help', ['help', 'call']],
  ])(
    'the file gets what a pipe gets, behind what others wrote there: %s',
    async (_name, args) => {
      const { out } = await project.run(args);
      const withoutIds = (text: string): string => text.replace(/"(?:run|ms|at|id)":[^,}]+/g, '');
      expect(withoutIds(await intoFile(args))).toBe(`first\n${withoutIds(out)}last\n`);
    },
    60_000,
  );
});

describe('an application whose approver waits for a person on another route', () => {
  beforeAll(() => {
    project.write(
      'waiting.config.js',
      `import config from './toolwright.config.js';
export { session } from './toolwright.config.js';
export default (input) => config({ ...input, approver: { approve: () => new Promise(() => {}) } });
`,
    );
    project.write(
      'refund.json',
      '[{ "toolCalls": [{ "name": "refund", "arguments": { "article": "tea" } }] }, "Done."]',
    );
  });

  test('call --commit denies, and says so', async () => {
    const ran = await project.run(['call', 'refund', '{"article":"tea"}', '--commit', '--app', 'waiting.config.js']);
    expect(ran).toMatchObject({ code: 1, out: expect.stringContaining('Only toolwright run asks') as string });
  }, 60_000);

  test('run --approve all approves', async () => {
    const ran = await project.run([
      'run',
      'Refund it',
      '--script',
      'refund.json',
      '--approve',
      'all',
      '--app',
      'waiting.config.js',
    ]);
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('Done.') as string });
  }, 60_000);
});

test('E979 a command that waits for what nothing will bring about is no success', async () => {
  project.write('stuck.config.js', 'export default () => new Promise(() => {});\n');
  const ran = await project.run(['render', '--app', 'stuck.config.js']);
  expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^E979: the command waits/) as string });
  const json = await project.run(['render', '--json', '--app', 'stuck.config.js']);
  expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'E979' } });
}, 60_000);
