import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliProject } from './support/CliProject';

const root = resolve(__dirname, '../../..');

/** A shop whose data is a file: it survives a kill, and every tool but the last claims that it acts only here. */
const shop = `import { createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

class Note { constructor(text) { this.text = text; } }
const text = { type: 'object', properties: { text: { type: 'string', maxLength: 9 } }, required: ['text'] };
const Text = {
  '~standard': {
    version: 1, vendor: 'shop',
    validate: (value) => typeof value?.text === 'string' && value.text.length < 10
      ? { value } : { issues: [{ message: 'expected a text of at most 9 characters', path: ['text'] }] },
    jsonSchema: { input: () => text, output: () => text },
  },
};
const here = { hints: { openWorld: false } };
let file = '';
const read = defineTool({ name: 'read_notes', description: 'Reads.', hints: { readOnly: true }, handler: () => 'None.' });
const note = defineTool({
  name: 'add_note', description: 'Adds a note.', params: Text, ...here,
  handler: ({ text }, context) => { context.session.dispatch(new Note(text)); return 'Added.'; },
});
const line = defineTool({
  name: 'add_line', description: 'Adds a line.', params: Text, ...here,
  handler: ({ text }) => { appendFileSync(file, text + '\\n'); return 'Added.'; },
});
const count = () => (existsSync(file + '.count') ? Number(readFileSync(file + '.count', 'utf8')) : 0);
const piece = defineTool({
  name: 'add_piece', description: 'Counts a piece.', ...here,
  handler: () => { writeFileSync(file + '.count', String(count() + 1)); return 'Counted.'; },
});
const swallow = defineTool({
  name: 'swallow', description: 'Goes on after an error.', params: Text, ...here,
  handler: ({ text }, context) => {
    context.session.dispatch(new Note(text));
    context.session.dispatch(new Note(text));
    return 'Added.';
  },
});
const letter = defineTool({
  name: 'send_letter', description: 'Sends.', handler: () => { appendFileSync(file, 'letter\\n'); return 'Sent.'; },
});
const notes = defineSection({ key: 'notes', title: 'Notes', template: 'Take notes.', tools: [read, note, line, piece, swallow, letter] });
export default ({ approver, dataFolder }) => {
  file = dataFolder + '/lines.txt';
  return createApplication({ prompts: [definePrompt({ ns: 'shop', key: 'notes', sections: [notes] })], approver });
};
export const session = () => new Session({ slices: [Note] });
export const outside = () => ({ lines: existsSync(file) ? readFileSync(file, 'utf8').split('\\n') : [], pieces: count() });
export const examples = { add_line: [{ text: 'tea' }] };
`;

/** Two counters: one overwrites what another call did meanwhile. */
const counter = `import { bind, createApplication, definePrompt, defineSection, defineTool } from 'toolwright';

class Counter {
  count = 0;
  begin() { const made = new this.constructor(); made.count = made.read = this.count; return made; }
  commit(overlay) { this.count = overlay.count; }
}
class Careful extends Counter {
  conflicts(overlay) { return this.count !== overlay.read; }
}
const add = (name, type) => defineTool({
  name, description: 'Counts.', hints: { openWorld: false },
  handler: (_none, context) => { context.resources.get(type).count += 1; return 'Counted.'; },
});
const counters = defineSection({ key: 'counters', title: 'Counters', template: 'Count.', tools: [add('lost', Counter), add('kept', Careful)] });
const create = () => createApplication({
  prompts: [definePrompt({ ns: 'shop', key: 'counters', sections: [counters] })],
  resources: [bind(Counter, { value: new Counter() }), bind(Careful, { value: new Careful() })],
});
export default () => create();
`;

interface Sheet {
  readonly tools: readonly {
    readonly tool: string;
    readonly skipped?: string;
    readonly results: readonly { readonly fault: string; readonly mark: string; readonly note: string }[];
  }[];
  readonly findings: readonly { readonly tool: string; readonly fault: string; readonly broken: string }[];
}

let project: CliProject;
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
  project = new CliProject({
    'package.json': '{ "type": "module", "private": true }\n',
    'toolwright.config.js': shop,
  });
  for (const name of ['fast-check', '@toolwright/durable']) project.install(name);
}, 600_000);
afterAll(() => {
  project.close();
});
beforeEach(() => {
  project.write('toolwright.config.js', shop);
});

const prove = (...args: readonly string[]) => project.run(['prove', ...args]);

async function proveAsJson(...args: readonly string[]): Promise<readonly [number | null, Sheet]> {
  const { code, out, err } = await prove('--json', ...args);
  expect(err).toBe('');
  return [code, JSON.parse(out) as Sheet];
}

function marksOf({ tools }: Sheet, name: string): Readonly<Record<string, string>> {
  const found = tools.find(({ tool }) => tool === name);
  return Object.fromEntries((found?.results ?? []).map(({ fault, mark }) => [fault, mark]));
}

function listFound({ findings }: Sheet): readonly string[] {
  return findings.map(({ tool, fault }) => `${tool}: ${fault}`);
}

test('a tool that only writes the session holds its claim under every fault, also under a kill', async () => {
  const [code, sheet] = await proveAsJson('--tools', 'add_note', 'read_notes', 'swallow');
  expect([code, sheet.findings]).toEqual([0, []]);
  expect(marksOf(sheet, 'add_note')).toEqual({
    call: 'trace',
    throw: 'none',
    kill: 'none',
    timeout: 'none',
    cancel: 'none',
    double: 'trace',
    conflict: 'none',
    denied: 'skipped',
    hostile: 'none',
  });
  const thrown = sheet.tools.find(({ tool }) => tool === 'swallow')?.results.find(({ fault }) => fault === 'throw');
  expect(thrown?.note).toContain('Thrown at 2 writes');
}, 120_000);

test('a tool that writes a file and claims to act only here is found, also when it acts again after a kill', async () => {
  const [code, sheet] = await proveAsJson('--tools', 'add_line');
  expect(code).toBe(1);
  expect(listFound(sheet)).toEqual(['add_line: throw', 'add_line: kill', 'add_line: timeout', 'add_line: cancel']);
}, 120_000);

test('a call that changes one number twice is found after a kill, though only one value differs', async () => {
  const [code, sheet] = await proveAsJson('--tools', 'add_piece', '--faults', 'kill');
  expect([code, listFound(sheet)]).toEqual([1, ['add_piece: kill']]);
}, 120_000);

test('a tool that may act outside runs only with --act, and then says that its effect is unknown', async () => {
  const [, without] = await proveAsJson('--tools', 'send_letter', 'read_notes', '--faults', 'call');
  expect(without.tools.find(({ tool }) => tool === 'send_letter')?.skipped).toContain('--act');
  const [code, sheet] = await proveAsJson('--tools', 'send_letter', '--act');
  expect(code).toBe(0);
  expect(marksOf(sheet, 'send_letter')).toMatchObject({ throw: 'unknown', kill: 'unknown', timeout: 'unknown' });
}, 120_000);

test('a resource that does not notice conflicts is found by two calls at once', async () => {
  project.write('toolwright.config.js', counter);
  const [code, sheet] = await proveAsJson('--faults', 'conflict', '--tools', 'lost', 'kept');
  expect(code).toBe(1);
  expect(listFound(sheet)).toEqual(['lost: conflict']);
  expect(marksOf(sheet, 'kept')).toEqual({ conflict: 'none' });
}, 120_000);

test('an application that keeps what earlier calls left is named in a note', async () => {
  const once = counter.replace('export default () => create()', 'const app = create();\nexport default app');
  expect(once).not.toBe(counter);
  project.write('toolwright.config.js', once);
  const { err } = await prove('--faults', 'call', 'throw', '--tools', 'kept');
  expect(err).toContain('A new application begins with what the calls before left');
}, 120_000);

test('a package that a kill needs is named in a note', async () => {
  const bare = new CliProject({ 'package.json': '{ "type": "module" }\n', 'toolwright.config.js': shop });
  try {
    bare.install('fast-check');
    const ran = await bare.run(['prove', '--tools', 'add_note', '--faults', 'kill']);
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('No process could be killed: E969')]);
  } finally {
    bare.close();
  }
}, 120_000);

test('the sheet is written as Markdown and as a page, and is the same for the same seed', async () => {
  const args = ['--tools', 'add_line', '--faults', 'call', 'throw', 'hostile', '--seed', '7'];
  const first = await prove(...args, '--markdown', 'proof.md', '--html', 'proof.html');
  expect(first.code).toBe(1);
  const markdown = readFileSync(join(project.folder, 'proof.md'), 'utf8');
  expect(markdown).toContain('| `add_line` | openWorld: false | its work | ✘ trace |');
  expect(readFileSync(join(project.folder, 'proof.html'), 'utf8')).toContain('Claims that do not hold');
  await prove(...args, '--markdown', 'again.md');
  expect(readFileSync(join(project.folder, 'again.md'), 'utf8')).toBe(markdown);
}, 120_000);

test('arguments come from recorded runs as well', async () => {
  const refusing = "handler: ({ text }) => { if (text !== 'green') throw new Error('only green');";
  project.write('toolwright.config.js', shop.replace('handler: ({ text }) => {', refusing).replace("'tea'", "'red'"));
  project.write(
    'script.json',
    JSON.stringify([{ toolCalls: [{ name: 'add_line', arguments: { text: 'green' } }] }, 'Ok.']),
  );
  mkdirSync(join(project.folder, 'runs'));
  const ran = await project.run(['run', 'Go', '--script', 'script.json', '--record', 'runs/green.jsonl']);
  expect(ran.code).toBe(0);
  const [, without] = await proveAsJson('--tools', 'add_line', 'add_note', '--faults', 'call');
  expect(without.tools.find(({ tool }) => tool === 'add_line')?.skipped).toContain('No call of it succeeded');
  const [, sheet] = await proveAsJson('--tools', 'add_line', '--faults', 'call', '--runs', 'runs');
  expect(marksOf(sheet, 'add_line')).toEqual({ call: 'trace' });
}, 120_000);

describe('wrong input', () => {
  test.each([
    ['a tool that does not exist', ['--tools', 'add_lin'], [], 'E983', 'add_line'],
    ['a sheet that would prove nothing', ['--tools', 'send_letter'], [], 'E984', 'no tool could be proved'],
    [
      'an export outside that throws',
      [],
      ['() => ({ lines', '() => ({ no: missing.value, lines'],
      'E985',
      'outside threw',
    ],
    ['a text in place of a list of examples', [], ["[{ text: 'tea' }]", "'tea'"], 'E985', 'add_line is not a list'],
    ['a session without names for its slices', [], ['{ slices: [Note] }', '{}'], 'E985', 'session cannot be compared'],
    [
      'a state that is too large to compare',
      [],
      ['lines: existsSync', 'big: Array(200000).fill(1), lines: existsSync'],
      'E985',
      'more than 200000 values',
    ],
    ['examples of a tool that does not exist', [], ['{ add_line:', '{ add_lines:'], 'E983', 'add_lines'],
  ] as const)('%s is refused', async (_title, args, [from, to], code, problem) => {
    if (from !== undefined) {
      expect(shop).toContain(from);
      project.write('toolwright.config.js', shop.replace(from, to));
    }
    const ran = await prove(...args);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(code);
    expect(ran.err).toContain(problem);
  });

  test('a missing fast-check is named with the command that installs it', async () => {
    const bare = new CliProject({ 'package.json': '{ "type": "module" }\n', 'toolwright.config.js': shop });
    try {
      const ran = await bare.run(['prove']);
      expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('npm install --save-dev fast-check')]);
    } finally {
      bare.close();
    }
  });
});

describe('the retail desk', () => {
  const proveDesk = (name: string) =>
    proveAsJson('--act', '--app', join(root, 'samples/20-retail-desk/proof', name), '--faults', ...FAULTS);
  // The sources of the workspace have no built thread of SQLite; the shop above is killed.
  const FAULTS = ['call', 'throw', 'timeout', 'cancel', 'double', 'conflict', 'denied', 'hostile'];

  test('every tool of the desk is proved, the tools of planning on a plan of the session, and none claims more than it holds', async () => {
    const [code, sheet] = await proveDesk('desk.ts');
    expect([code, listFound(sheet)]).toEqual([0, []]);
    const open = sheet.tools.filter(({ skipped }) => skipped !== undefined).map(({ tool }) => tool);
    expect(sheet.tools).toHaveLength(20);
    expect(open).toEqual([]);
  }, 300_000);

  test('all five planted faults are found, and no other tool is accused', async () => {
    const [code, sheet] = await proveDesk('faultyDesk.ts');
    expect(code).toBe(1);
    expect(listFound(sheet)).toEqual(
      expect.arrayContaining([
        'get_product_details: call',
        'modify_user_address: double',
        'cancel_pending_order: throw',
        'modify_pending_order_items: hostile',
        'return_delivered_order_items: timeout',
      ]),
    );
    expect([...new Set(sheet.findings.map(({ tool }) => tool))].sort()).toEqual([
      'cancel_pending_order',
      'get_product_details',
      'modify_pending_order_items',
      'modify_user_address',
      'return_delivered_order_items',
    ]);
  }, 300_000);
});
