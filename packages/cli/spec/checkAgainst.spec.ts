import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliProject } from './support/CliProject';

const root = resolve(__dirname, '../../..');

/** A shop with a prompt of three tools, one of which acts outside. */
const shop = `import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
import { appendFileSync } from 'node:fs';

const order = { type: 'object', properties: { id: { type: 'string', maxLength: 9 } }, required: ['id'] };
const check = (value) => typeof value?.id === 'string' && value.id.length <= order.properties.id.maxLength;
const Orders = {
  '~standard': {
    version: 1, vendor: 'shop',
    validate: (value) => (check(value) ? { value } : { issues: [{ message: 'too long', path: ['id'] }] }),
    jsonSchema: { input: () => order, output: () => order },
  },
};
const find = defineTool({
  name: 'find_order', description: 'Finds an order.', params: Orders, hints: { readOnly: true },
  handler: ({ id }) => 'Order ' + id + ' is here.',
});
const list = defineTool({ name: 'list_orders', description: 'Lists orders.', hints: { readOnly: true }, handler: () => 'None.' });
const send = defineTool({
  name: 'send_letter', description: 'Sends a letter.',
  handler: () => { appendFileSync('sent.txt', 'sent\\n'); return 'Sent.'; },
});
const orders = defineSection({ key: 'orders', title: 'Orders', template: 'Look orders up.', tools: [find, list, send] });
export default ({ approver }) =>
  createApplication({ prompts: [definePrompt({ ns: 'shop', key: 'desk', sections: [orders] })], approver });
`;

const scripts = {
  find: [{ toolCalls: [{ name: 'find_order', arguments: { id: 'W1234567' } }] }, 'Found.'],
  list: [{ toolCalls: [{ name: 'list_orders', arguments: {} }] }, 'None.'],
  send: [{ toolCalls: [{ name: 'send_letter', arguments: {} }] }, 'Sent.'],
  talk: ['Hello.'],
};

let project: CliProject;
beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
  project = new CliProject({
    'package.json': '{ "type": "module", "private": true }\n',
    'toolwright.config.js': shop,
    'runs/README.md': 'Recorded runs.\n',
  });
  for (const [name, script] of Object.entries(scripts)) {
    project.write(`${name}.json`, JSON.stringify(script));
    const ran = await project.run(['run', 'Go', '--script', `${name}.json`, '--record', `runs/${name}.jsonl`]);
    expect([ran.code, ran.err]).toEqual([0, expect.any(String)]);
  }
}, 600_000);
afterAll(() => {
  project.close();
});
beforeEach(() => {
  edit();
});

/** Replaces a text of the shop's source. */
function edit(from = 'Look', to = from): void {
  expect(shop).toContain(from);
  project.write('toolwright.config.js', shop.replace(from, to));
}

const check = (...args: readonly string[]) => project.run(['check', '--against', 'runs', ...args]);

interface Shown {
  readonly runs: readonly {
    readonly file: string;
    readonly kinds: readonly string[];
    readonly fromRecord: readonly string[];
  }[];
  readonly problems: readonly { readonly file: string; readonly code: string }[];
}

async function kinds(...args: readonly string[]): Promise<readonly [number | null, Readonly<Record<string, string>>]> {
  const { code, out } = await check('--json', ...args);
  const { runs } = JSON.parse(out) as Shown;
  return [code, Object.fromEntries(runs.map((run) => [run.file.slice('runs/'.length, -6), run.kinds.join(' ')]))];
}

describe('toolwright check --against', () => {
  test('an application without edits changes no conversation, and sends no letter again', async () => {
    const { code, out, err } = await check();
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain('answered from the record, not run again: send_letter');
    expect(err).toContain('✔ 4 conversations, none changes');
    expect(readFileSync(join(project.folder, 'sent.txt'), 'utf8')).toBe('sent\n');
    expect(await kinds()).toEqual([0, { find: 'same', list: 'same', send: 'same', talk: 'same' }]);
  }, 60_000);

  test('a changed description is a row for all conversations, with exit code 1', async () => {
    edit('Lists orders.', 'Lists all orders.');
    const { code, out, err } = await check();
    expect(code).toBe(1);
    expect(out).toBe(
      [
        'kind\twhere\truns\tdifference',
        'prefix\tlist_orders\truns/find.jsonl:3 and 3 more\tanother description: "Lists orders." → "Lists all orders."\n',
      ].join('\n'),
    );
    expect(err).toContain('✘ 4 of 4 conversations change');
  }, 60_000);

  test('a narrower schema, another result and a removed tool change exactly the conversations with these calls', async () => {
    edit('maxLength: 9', 'maxLength: 5');
    const others = { list: 'prefix tools', send: 'prefix tools', talk: 'prefix tools' };
    expect(await kinds()).toEqual([1, { find: 'prefix tools arguments', ...others }]);
    edit("'None.' });", "'Nothing.' });");
    expect(await kinds()).toEqual([1, { find: 'same', list: 'outcome', send: 'same', talk: 'same' }]);
    edit('tools: [find, list, send]', 'tools: [find, send]');
    expect(await kinds('--only', 'outcome', 'arguments')).toEqual([
      1,
      { find: 'same', list: 'outcome', send: 'same', talk: 'same' },
    ]);
    expect(await kinds('--only', 'state')).toEqual([0, { find: 'same', list: 'same', send: 'same', talk: 'same' }]);
  }, 60_000);

  test('SARIF names the rule, and the line of the bundle', async () => {
    edit("'None.' });", "'Nothing.' });");
    const { code, err } = await check('--sarif', 'runs.sarif');
    expect([code, err]).toEqual([1, expect.stringContaining('The findings are in runs.sarif.')]);
    const text = readFileSync(join(project.folder, 'runs.sarif'), 'utf8');
    expect((await check('--format', 'sarif')).out).toBe(text);
    const lines = readFileSync(join(project.folder, 'runs/list.jsonl'), 'utf8').split('\n');
    const line = lines.findIndex((each) => each.startsWith('{"kind":"call"')) + 1;
    expect(JSON.parse(text)).toEqual({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'toolwright', rules: [{ id: 'against/outcome' }] } },
          results: [
            {
              ruleId: 'against/outcome',
              level: 'error',
              message: {
                text: expect.stringMatching(
                  /^run [\w-]+: list_orders: another result: "None." → "Nothing."$/,
                ) as string,
              },
              locations: [
                {
                  physicalLocation: { artifactLocation: { uri: 'runs/list.jsonl' }, region: { startLine: line } },
                  logicalLocations: [{ fullyQualifiedName: expect.stringMatching(/^run /) as string }],
                },
              ],
            },
          ],
        },
      ],
    });
  }, 60_000);

  test('a broken file, one of another version and a transcript are problems with exit code 2; the others are compared', async () => {
    const bundle = readFileSync(join(project.folder, 'runs/talk.jsonl'), 'utf8');
    project.write('mixed/broken.jsonl', bundle.replace('"kind":"run"', '"kind":"ruin"'));
    project.write('mixed/foreign.jsonl', '{"some":"log"}\n');
    project.write('mixed/good.jsonl', bundle);
    project.write('mixed/next.jsonl', bundle.replace('"version":1', '"version":2'));
    project.write('mixed/text.jsonl', 'no JSON\n');
    project.write('mixed/deep/er.jsonl', '{"format":"toolwright/transcript","version":1}\n');
    const { code, out } = await project.run(['check', '--against', 'mixed', '--json']);
    const { runs, problems } = JSON.parse(out) as Shown;
    expect(code).toBe(2);
    expect(runs.map(({ file }) => file)).toEqual(['mixed/good.jsonl']);
    expect(problems).toMatchObject([
      { file: 'mixed/broken.jsonl', line: 3, code: 'E750', message: expect.stringContaining('"ruin"') as string },
      { file: 'mixed/deep/er.jsonl', line: 1, code: expect.stringMatching(/^E7|^E970/) as string },
      { file: 'mixed/foreign.jsonl', line: 1, code: 'E970', message: 'it is neither a bundle nor a transcript' },
      { file: 'mixed/next.jsonl', line: 1, code: 'E750', message: 'expected version 1, got the number 2' },
      { file: 'mixed/text.jsonl', line: 1, code: 'E967' },
    ]);
    const shown = await project.run(['check', '--against', 'mixed']);
    expect(shown.err).toContain('E750 mixed/next.jsonl:1: expected version 1, got the number 2\n  fix: ');
    expect(shown.err).toContain('✔ 1 conversation, none changes, 5 not compared');
  }, 60_000);

  test('a bundle without runs is not a check that passed', async () => {
    const [head = ''] = readFileSync(join(project.folder, 'runs/talk.jsonl'), 'utf8').split('\n');
    project.write('bare/none.jsonl', `${head}\n`);
    const { code, out, err } = await project.run(['check', '--against', 'bare']);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('✘ no run was compared')]);
  }, 60_000);

  test.each<[string, readonly string[], RegExp]>([
    ['E981 an empty folder', ['--against', 'empty'], /^E981 empty: no file in it ends in \.jsonl/m],
    ['E970 a missing folder', ['--against', 'nowhere'], /^E970 nowhere: no such file or directory/m],
    [
      'E965 an unknown prompt',
      ['--against', 'runs', '--prompt', 'shop/dusk'],
      /^E965 .*there is no prompt "shop\/dusk"/m,
    ],
    ['E973 an unknown kind', ['--against', 'runs', '--only', 'prefixes'], /^E973: .*prefixes/m],
    ['E973 no time at all', ['--against', 'runs', '--timeout', '0'], /^E973: .*--timeout/m],
    ['E973 an option without --against', ['--only', 'prefix'], /^E973 --only: it needs --against/m],
  ])('%s is refused with exit code 2', async (_what, args, message) => {
    mkdirSync(join(project.folder, 'empty'), { recursive: true });
    const { code, out, err } = await project.run(['check', ...args]);
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(message)]);
  });
});
