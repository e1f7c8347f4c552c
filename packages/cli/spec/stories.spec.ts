import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import Ajv2020 from 'ajv/dist/2020';
import { bin, built, CliProject, shop } from './support/CliProject';
import { runHere } from './support/inProcess';

const root = resolve(__dirname, '../../..');
let project: CliProject;

/** The JSON that a command writes. */
async function json(...args: readonly string[]): Promise<unknown> {
  const { out } = await project.run([...args, '--json']);
  return JSON.parse(out);
}

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
  project = new CliProject(built(shop));
}, 600_000);
afterAll(() => {
  project.close();
});

describe('the command line in pipes', () => {
  test('render: the text alone on standard output, with values and opened sections', async () => {
    const { code, out, err } = await project.run([
      'render',
      '--param',
      'tier=gold',
      '--param',
      'discount=7',
      '--open',
      'terms',
    ]);
    expect(out).toBe(
      '## 1. Orders (orders)\n\nFor gold customers: 7 % off.\n\n## 2. Terms (terms)\n\nAll of the terms.\n',
    );
    // What the module of the user prints is no data.
    expect(err).toContain('the application is made');
    expect(code).toBe(0);
  }, 60_000);

  test('skills: a folder with SKILL.md for each section, which is not replaced afterwards', async () => {
    project.install('@toolwright/files');
    const first = await project.run(['skills', '--out', 'written', '--param', 'tier=gold']);
    expect(first).toMatchObject({ code: 0, out: 'written/orders/SKILL.md\nwritten/terms/SKILL.md\n' });
    const text = readFileSync(join(project.folder, 'written/terms/SKILL.md'), 'utf8');
    expect(text).toMatch(/^---\nname: terms\ndescription: /);
    expect(text).toContain('All of the terms.');
    const again = await project.run(['skills', 'terms', '--out', 'written']);
    expect(again.code).not.toBe(0);
    expect(again.err).toContain('written/terms/SKILL.md');
    expect((await project.run(['skills', 'nothing'])).err).toContain('E929 nothing');
  }, 60_000);

  test('render: a value from a file, and the tokens of each section', async () => {
    project.write('tier.txt', 'platinum');
    expect(await json('render', '--param', 'tier=@tier.txt')).toMatchObject({
      text: expect.stringContaining('For platinum customers') as unknown,
      sections: [
        { path: 'orders', visibility: 'full', tokens: 17 },
        { path: 'terms', visibility: 'summary', tokens: expect.any(Number) as unknown },
      ],
      tokens: { label: 'o200k estimate' },
    });
  }, 60_000);

  test('tools and call: the tools of a closed section, once it is opened', async () => {
    project.write(
      'closed.config.js',
      `import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
const look = defineTool({ name: 'look_up', description: 'Looks.', hints: { readOnly: true }, handler: () => 'found' });
const inner = defineSection({ key: 'inner', title: 'Inner', template: 'Inner.', tools: [look] });
const more = defineSection({ key: 'more', title: 'More', template: 'More.', summary: 'M.', visibility: 'summary', children: [inner] });
const desk = definePrompt({ ns: 'test', key: 'desk', sections: [more] });
export default () => createApplication({ prompts: [desk] });
`,
    );
    const app = ['--app', 'closed.config.js'];
    const names = async (...args: readonly string[]) =>
      ((await json('tools', ...app, ...args)) as readonly { readonly name: string }[]).map(({ name }) => name);
    expect(await names()).toEqual(['open_sections']);
    for (const open of ['more', 'all']) expect(await names('--open', open)).toContain('look_up');
    const closed = await project.run(['call', 'look_up', '{}', ...app]);
    expect([closed.code, closed.err]).toEqual([
      expect.any(Number),
      expect.stringMatching(
        /^E966: the tool "look_up" belongs to the section "more", which is closed\n {2}fix: Open the section: --open more, or --open all\./m,
      ),
    ]);
    expect((await project.run(['tools', 'look_up', ...app])).err).toContain('belongs to the section "more"');
    expect((await project.run(['tools', 'lok_up', ...app])).err).toContain('Did you mean "look_up"?');
    expect((await project.run(['call', 'look_up', '{}', ...app, '--open', 'mor'])).err).toContain('E973 --open');
    for (const more of [[], ['--commit']])
      expect((await project.run(['call', 'look_up', '{}', ...app, '--open', 'more', ...more])).out).toBe('found\n');
  }, 120_000);

  test('tools lists which tools can be rehearsed, and the schema of each provider', async () => {
    expect(await json('tools')).toMatchObject([
      { name: 'list_orders', section: 'orders', rehearsal: 'handler' },
      { name: 'place_order', rehearsal: 'handler' },
      { name: 'send_letter' },
      { name: 'refund' },
      { name: 'open_sections' },
    ]);
    const parameters = { type: 'object', required: ['article'] };
    const kinds: readonly (readonly [string, object])[] = [
      ['openai', [{ type: 'function', function: { name: 'place_order', parameters, strict: true } }]],
      ['openai-responses', [{ type: 'function', name: 'place_order', parameters }]],
      ['anthropic', [{ name: 'place_order', input_schema: parameters }]],
      ['gemini', { functionDeclarations: [{ name: 'place_order', parameters }] }],
      ['mcp', [{ name: 'place_order', inputSchema: parameters, annotations: { openWorldHint: false } }]],
      ['ai-sdk', { place_order: { inputSchema: parameters } }],
      ['json-schema', [{ name: 'place_order', parameters }]],
    ];
    for (const [format, expected] of kinds)
      expect(await json('tools', 'place_order', '--format', format)).toMatchObject({ tools: expected, losses: [] });
    const { out } = await project.run(['tools', 'place_order', '--format', 'ts']);
    expect(out).toContain('declare function place_order(args: {');
  }, 120_000);

  test('call: a rehearsal shows what would change, and --commit does it', async () => {
    const { out, err, code } = await project.run(['call', 'place_order', '{"article":"tea"}']);
    expect([out, code]).toEqual(['Ordered tea.\n', 0]);
    expect(err).toContain('nothing was kept');
    expect(err).toContain('+ {"article":"tea"}');
    expect(await json('call', 'send_letter', '{"article":"tea"}', '--commit')).toMatchObject({
      kind: 'succeeded',
      rehearsed: false,
    });
    const refused = await project.run(['call', 'send_letter', '{"article":"tea"}']);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain('E610 Orders.sendLetter');
    expect(refused.err).not.toContain('sent');
  }, 60_000);

  test('call: arguments from standard input and from a file; what the tool rejects exits with 1', async () => {
    project.write('tea.json', '{"article":"green tea"}');
    expect((await project.run(['call', 'place_order', '@tea.json'])).out).toBe('Ordered green tea.\n');
    expect((await project.run(['call', 'place_order', '-'], { input: '{"article":"cake"}' })).out).toBe(
      'Ordered cake.\n',
    );
    const wrong = await project.run(['call', 'place_order', '{"artikel":"tea"}']);
    expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('article: is required')]);
  }, 60_000);

  test('run, trace, replay: a run with scripted replies is recorded, shown and replayed', async () => {
    const ran = await project.run(['run', 'Tea, please', '--script', 'replies.json', '--record', 'run.jsonl']);
    expect([ran.out, ran.code]).toEqual(['Tea is ordered.\n', 0]);
    expect(ran.err).toContain('→ place_order {"article":"tea"}');
    const trace = await project.run(['trace', 'run.jsonl']);
    expect(trace.out).toMatch(/^shop\/desk .* answered/);
    expect(trace.out).toMatch(/└─ place_order \{"article":"tea"\} ✔ .* Ordered tea\./);
    const same = await project.run(['replay', 'run.jsonl']);
    expect([same.code, same.out]).toEqual([0, '✔ 5 messages, the same as recorded\n']);
    const other = await project.run(['replay', 'run.jsonl', '--param', 'tier=gold']);
    expect(other.code).toBe(1);
    expect(other.out).toContain('The run differs from its record at message 1, the system message');
    const gold = ['--param', 'tier=gold', '--record', 'gold.jsonl'];
    await project.run(['run', 'Tea, please', '--script', 'replies.json', ...gold]);
    expect((await project.run(['replay', 'gold.jsonl'])).out).toBe('✔ 5 messages, the same as recorded\n');
    const lines = await project.run(['run', '--script', 'replies.json', '--json'], { input: 'Tea, please\n' });
    const events = lines.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly kind: string }).kind);
    expect(events).toEqual(expect.arrayContaining(['begun', 'outcome', 'text', 'done']));
  }, 120_000);

  test('run: an approval is refused without a terminal, and given with --approve all', async () => {
    project.write(
      'refund.json',
      '[{ "toolCalls": [{ "name": "refund", "arguments": { "article": "tea" } }] }, "Done."]',
    );
    const refused = await project.run(['run', 'Refund', '--script', 'refund.json']);
    expect(refused.err).toContain('✘ denied');
    const given = await project.run(['run', 'Refund', '--script', 'refund.json', '--approve', 'all']);
    expect(given.err).toContain('✔ Refunded tea.');
  }, 60_000);

  test('--metadata says whom a call, a run, a rendering and a server are for', async () => {
    project.write(
      'users.config.js',
      `import { createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
      const whoAmI = defineTool({
        ...{ name: 'who_am_i', description: 'Say who asks.', hints: { openWorld: false } },
        handler: (_params, { runMetadata: { user, team } }) => user + ' of ' + team,
      });
      const sections = (user) => [defineSection({ key: 'me', title: 'Me', tools: [whoAmI], renderBody: () => 'For ' + user + '.' })];
      export default ({ runMetadata: { user } }) =>
        createApplication({ prompts: [definePrompt({ ns: 'shop', key: 'me', sections: sections(user) })] });
      export const session = ({ runMetadata: { user } }) => {
        if (user !== '1') throw new TypeError('no user');
        return new Session();
      };`,
    );
    project.write('who.json', '[{ "toolCalls": [{ "name": "who_am_i", "arguments": {} }] }, "Done."]');
    const given = ['--app', 'users.config.js', '--metadata', 'user=1', '--metadata', 'team=a=b'];
    expect((await project.run(['call', 'who_am_i', ...given])).out).toBe('1 of a=b\n');
    expect((await project.run(['call', 'who_am_i', '--commit', ...given])).out).toBe('1 of a=b\n');
    expect((await project.run(['render', ...given])).out).toContain('For 1');
    const ran = await project.run(['run', 'Hello', '--script', 'who.json', ...given]);
    expect(ran.err).toContain('✔ 1 of a=b');
    const served = new StdioClientTransport({
      command: process.execPath,
      args: [bin, 'serve', '--mcp', ...given],
      cwd: project.folder,
      stderr: 'ignore',
    });
    const client = new Client({ name: 'spec', version: '1' });
    try {
      await client.connect(served);
      const called = await client.callTool({ name: 'who_am_i', arguments: {} });
      expect(called).toMatchObject({ content: [{ type: 'text', text: '1 of a=b' }] });
    } finally {
      await client.close();
    }
  }, 120_000);

  test('--verbose shows where an error and its causes were thrown, and nothing else does', async () => {
    project.write(
      'thrower.js',
      "export default () => {\n  throw new TypeError('no database', { cause: new Error('refused') });\n};\n",
    );
    const args = ['render', '--app', 'thrower.js'];
    const told = await project.run(args);
    expect(told.err.trim().split('\n')).toHaveLength(2);
    const verbose = await project.run([...args, '--verbose']);
    expect(verbose.err).toContain(told.err.trim());
    expect(verbose.err).toMatch(/caused by TypeError: no database\n +at .*thrower\.js:2/);
    expect(verbose.err).toMatch(/caused by Error: refused\n +at .*thrower\.js:2/);
  }, 60_000);

  test('explain: a code without its letter, and a page or section that a message names', async () => {
    const explain = async (name: string) => (await runHere(project.folder, ['explain', name])).out;
    expect(await explain('304')).toBe(await explain('E304'));
    expect(await explain('docs/errors.md#e304')).toBe(await explain('E304'));
    expect(await explain('docs/cli.md#exit-codes')).toMatch(/^## Exit codes\n\n0: good/);
    expect(await explain('docs/cli.md#exit-codes')).not.toContain('## Secrets');
    expect(await explain('schemas.md')).toBe(`${readFileSync(join(root, 'docs/schemas.md'), 'utf8').trimEnd()}\n`);
  });

  test('explain and help need no application', async () => {
    expect((await runHere(project.folder, ['explain', 'e304'])).out).toMatch(/^E304 Placeholder without a property\n/);
    const help = await project.run(['help']);
    expect([help.code, help.err]).toEqual([0, '']);
    expect((await runHere(project.folder, ['help'])).out).toBe(help.out);
    for (const command of [
      'init',
      'doctor',
      'render',
      'tools',
      'check',
      'call',
      'run',
      'replay',
      'serve',
      'trace',
      'inspect',
      'explain',
    ])
      expect(help.out).toMatch(new RegExp(`^  ${command} `, 'm'));
  }, 60_000);

  test('a reader that closes its pipe ends the command quietly', async () => {
    const { out, err, code } = await project.exec('sh', [
      '-c',
      `'${process.execPath}' '${bin}' tools --format json-schema | head -c 1`,
    ]);
    expect([out, code]).toEqual(['[', 0]);
    expect(err).not.toContain('EPIPE');
  }, 60_000);

  test('serve --mcp: a client of the protocol lists the tools and calls one', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [bin, 'serve', '--mcp'],
      cwd: project.folder,
      stderr: 'ignore',
    });
    const client = new Client({ name: 'spec', version: '1' });
    try {
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['list_orders', 'place_order', 'send_letter', 'refund']),
      );
      const called = await client.callTool({ name: 'place_order', arguments: { article: 'tea' } });
      expect(called).toMatchObject({ content: [{ type: 'text', text: 'Ordered tea.' }] });
      const refused = await client.callTool({ name: 'place_order', arguments: {} });
      expect(refused).toMatchObject({ isError: true });
    } finally {
      await client.close();
    }
  }, 60_000);
});

describe('check', () => {
  test('check names the breaking changes of a contract, and exits with 1', async () => {
    expect((await project.run(['check', '--write-contract', 'contract.json'])).code).toBe(0);
    expect((await project.run(['check', '--contract', 'contract.json'])).code).toBe(0);
    const contract = readFileSync(join(project.folder, 'contract.json'), 'utf8');
    project.write('older.json', contract.replace('"list_orders"', '"list_order"'));
    const { code, out } = await project.run(['check', '--contract', 'older.json']);
    expect(code).toBe(1);
    expect(out).toContain('breaking-change list_order: the tool was removed. Did you mean "list_orders"?');
    expect(out).toContain('change list_orders: the tool was added');
  }, 120_000);

  test('check reports all findings with file and line, in each format', async () => {
    const faulty = new CliProject({
      ...shop,
      'src/desk.ts': (shop['src/desk.ts'] ?? '').replace("'Send a letter.'", "''").replace('${tier}', '${teir}'),
    });
    try {
      const text = await faulty.run(['check']);
      expect(text.code).toBe(1);
      expect(text.out).toMatch(/^E102 Orders\.sendLetter: .* src\/desk\.ts:\d+$/m);
      expect(text.out).toMatch(/^E304 Orders: .*teir/m);
      const sarif = JSON.parse((await faulty.run(['check', '--format', 'sarif'])).out) as Sarif;
      expect(sarifFaults(sarif)).toEqual([]);
      expect(sarif.runs[0]?.results).toContainEqual(expect.objectContaining({ ruleId: 'E102', level: 'error' }));
      expect((await faulty.run(['check', '--format', 'github'])).out).toMatch(
        /^::error file=src\/desk\.ts,line=\d+,title=E102::Orders\.sendLetter/m,
      );
      expect(JSON.parse((await faulty.run(['check', '--json'])).out)).toMatchObject({
        findings: [{ rule: expect.any(String) as unknown }, {}],
      });
      // Every command says what is wrong with the application.
      for (const args of [['render'], ['tools'], ['call', 'refund', '{}'], ['run', 'x', '--script', 'replies.json']]) {
        const { code, err } = await faulty.run(args);
        expect([args[0], code, err.includes('E102 Orders.sendLetter')]).toEqual([args[0], 1, true]);
      }
      expect((await faulty.run(['doctor'])).out).toContain('it has findings (2)');
    } finally {
      faulty.close();
    }
  }, 240_000);

  test('check names tools whose calls no approver can approve', async () => {
    const [file, text] = Object.entries(shop).find(([, source]) => source.includes('prompts: [Desk], approver')) ?? [];
    const alone = new CliProject({ ...shop, [String(file)]: (text ?? '').replace(', approver }', ' }') });
    try {
      expect((await alone.run(['check'])).out).toMatch(/^approval-without-approver .*refund.*: its calls need/m);
      expect((await project.run(['check'])).out).not.toContain('approval-without-approver');
    } finally {
      alone.close();
    }
  }, 120_000);

  test.each([
    ['the ESLint of the project', ['eslint', 'typescript-eslint']],
    ['its oxlint', ['oxlint']],
  ])(
    'check finds in the sources what is lost at run time, with %s',
    async (_name, packages) => {
      const typed = new CliProject({
        ...shop,
        'src/desk.ts': (shop['src/desk.ts'] ?? '').replace(
          'article!: string;\n}',
          'article!: string;\n  missed!: string;\n  @Param({ description: "Kind." }) kind!: Kind;\n}\nenum Kind { New = "new" }\n',
        ),
      });
      try {
        const alone = await typed.run(['check']);
        expect(alone.err).toMatch(/neither ESLint with typescript-eslint nor oxlint is installed here/);
        for (const name of packages) typed.install(name);
        const { code, out } = await typed.run(['check']);
        expect(code).toBe(1);
        expect(out).toMatch(/^toolwright\/declared-properties src\/desk\.ts: .*missed.* src\/desk\.ts:14$/m);
        expect(out).toMatch(
          /^toolwright\/declared-properties src\/desk\.ts: .*kind has a few values here.* src\/desk\.ts:15$/m,
        );
      } finally {
        typed.close();
      }
    },
    120_000,
  );
});

/** What a reader of SARIF needs of a log; more is allowed. */
interface Sarif {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly { readonly ruleId: string; readonly level: string }[];
  }[];
}

/** What the standard requires of a log (SARIF 2.1.0, 3.13, 3.14, 3.18, 3.19, 3.27, 3.28), and what it says of each member. */
const sarifSchema = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    $schema: { type: 'string', pattern: '^https://.*sarif.*2\\.1\\.0.*\\.json$' },
    version: { const: '2.1.0' },
    runs: { type: 'array', minItems: 1, items: { $ref: '#/$defs/run' } },
  },
  $defs: {
    run: {
      type: 'object',
      required: ['tool', 'results'],
      properties: {
        tool: {
          type: 'object',
          required: ['driver'],
          properties: {
            driver: {
              type: 'object',
              required: ['name'],
              properties: {
                name: { type: 'string', minLength: 1 },
                rules: { type: 'array', uniqueItems: true, items: { type: 'object', required: ['id'] } },
              },
            },
          },
        },
        results: { type: 'array', items: { $ref: '#/$defs/result' } },
      },
    },
    result: {
      type: 'object',
      required: ['message', 'ruleId'],
      properties: {
        level: { enum: ['none', 'note', 'warning', 'error'] },
        message: { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } },
        locations: { type: 'array', items: { $ref: '#/$defs/location' } },
      },
    },
    location: {
      type: 'object',
      properties: {
        physicalLocation: {
          type: 'object',
          required: ['artifactLocation'],
          properties: {
            // Relative to the repository, as code scanning reads it.
            artifactLocation: {
              type: 'object',
              required: ['uri'],
              properties: { uri: { pattern: '^[^/\\\\ ][^\\\\ ]*$' } },
            },
            region: { type: 'object', properties: { startLine: { type: 'integer', minimum: 1 } } },
          },
        },
      },
    },
  },
} as const;

/** What does not fit the standard; rules that no result names, and results of no rule, included. */
function sarifFaults(log: Sarif): readonly string[] {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(sarifSchema);
  validate(log);
  const faults = (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
  const [run] = log.runs;
  const rules = new Set(run?.tool.driver.rules.map(({ id }) => id));
  return [...faults, ...(run?.results ?? []).flatMap(({ ruleId }) => (rules.has(ruleId) ? [] : [`no rule ${ruleId}`]))];
}

describe('doctor', () => {
  test('doctor is content with a sound project, and finds settings, versions and duplicates', async () => {
    const sound = new CliProject(shop);
    try {
      const { code, out } = await sound.run(['doctor']);
      expect([code, out]).toEqual([0, expect.stringContaining('✔ metadata')]);
    } finally {
      sound.close();
    }
    const sick = new CliProject({
      ...shop,
      'tsconfig.json': '{ "compilerOptions": { "experimentalDecorators": true } }',
      'package.json': '{ "type": "module", "scripts": { "start": "tsx src/main.ts" } }',
      'node_modules/other/node_modules/class-validator/package.json':
        '{ "name": "class-validator", "version": "0.14.0" }',
      'node_modules/@toolwright/openai/package.json': readFileSync(join(root, 'packages/openai/package.json'), 'utf8'),
      'node_modules/openai/package.json': '{ "name": "openai", "version": "4.0.0" }',
    });
    try {
      const { code, out } = await sick.run(['doctor']);
      expect(code).toBe(1);
      for (const told of [
        /✘ tsconfig .* lacks emitDecoratorMetadata/,
        /✘ metadata .* does not emit the types/,
        /✘ class-validator .* installed 2 times/,
        /✘ openai .* 4\.0\.0 is installed, and @toolwright\/openai needs/,
        /⚠ runner .* tsx/,
      ])
        expect(out).toMatch(told);
    } finally {
      sick.close();
    }
  }, 120_000);
});

/** Bad input: the arguments, and what is said of it; always with exit code 2, and nothing on standard output. */
type BadInput = readonly (readonly [args: readonly string[], said: RegExp])[];

/** What is refused before a module of the user is loaded. */
const badAtOnce: BadInput = [
  [['render', '--app', 'nowhere.ts'], /^E961 nowhere\.ts: there is no such file\n {2}fix:/m],
  [['trace', 'gone.jsonl'], /^E970 gone\.jsonl: no such file/m],
  [['trace', 'replies.json'], /^E970 replies\.json: it is neither a bundle nor a transcript/m],
  [['check', '--contract', 'replies.json'], /^E970 replies\.json: it is not a contract/m],
  [['init', 'replies.json', '--yes'], /^E970 .*replies\.json: not a directory.*\n {2}fix: Name a folder/m],
  [['init', 'replies.json/agent', '--yes'], /^E970 .*agent: not a directory/m],
  [['init', '.', '--yes'], /^E972 .*: it holds .* and more/m],
  [['tools', '--format', 'xml'], /^E973: .*xml.*\n {2}fix:/m],
  [['nonsense'], /^E973: unknown command 'nonsense'/m],
  [['explain', 'E000'], /^E974: there is no error E000/m],
  [['explain', 'docs/nothing.md'], /^E974: the package has no page docs\/nothing\.md\. There are: .*cli\.md/m],
  [['explain', '../package.json'], /^E974: there is no error/m],
  [
    ['explain', 'docs/cli.md#exit-code'],
    /^E974: docs\/cli\.md has no section exit-code\. Did you mean "exit-codes"\?/m,
  ],
];

/** What is found in the module, or on the application. */
const bad: BadInput = [
  [['inspect'], /^E969 inspect: @toolwright\/inspector is not installed\n {2}fix: npm install/m],
  [['render', '--app', 'src/person.js'], /^E962 src\/person\.js: it exports neither default nor app/m],
  [['render', '--app', 'toolwright.config.js#defualt'], /^E962 .* no export defualt\. Did you mean "default"\?/m],
  [['render', '--app', 'throws.ts'], /^E963 throws\.ts: no database \(at .*throws\.ts:2/m],
  [
    ['render', '--app', 'alias.ts'],
    /^E963 alias\.ts: .*@shop\/nowhere.*: the alias @shop\/\* of tsconfig\.json leads to no file \(\.\/src\/\*\)\n {2}fix: Correct the import/m,
  ],
  [
    ['render', '--app', 'alias.js'],
    /^E963 alias\.js: .*: the alias @shop\/\* of tsconfig\.json works in sources, not in built files\n {2}fix: Use "imports"/m,
  ],
  [['render', '--app', 'wrong.ts'], /^E964 wrong\.ts:1:\d+: /m],
  [['render', '--prompt', 'shop/dsk'], /^E965 .* there is no prompt "shop\/dsk"\. Did you mean "shop\/desk"/m],
  ...[
    ['check', '--prompt', 'nope/nope'],
    ['check', '--prompt', 'nope/nope', '--format', 'sarif'],
    ['doctor', '--prompt', 'nope/nope'],
    ['tools', '--prompt', 'nope/nope'],
    ['call', 'place_order', '--prompt', 'nope/nope'],
    ['run', 'hello', '--script', 'replies.json', '--prompt', 'nope/nope'],
  ].map((args) => [args, /^E965 .* there is no prompt "nope\/nope"\. There are: shop\/desk/m] as const),
  [
    ['render', '--open', 'trems'],
    /^E973 --open: there is no section "trems"\. Did you mean "terms"\?\n {2}fix: Name one of the sections/m,
  ],
  [
    ['check', '--write-contract', 'gone/contract.json'],
    /^E970 gone\/contract\.json: no such file.*\n {2}fix: Name a file/m,
  ],
  [['call', 'place_oder', '{}'], /^E966: there is no tool "place_oder"\. Did you mean "place_order"\?/m],
  [['call', 'place_order', '{"article": tea}'], /^E967 arguments: .* at line 1, column 14/m],
  [['render', '--param', 'teir=gold'], /^E968 --param: no section takes a parameter "teir"\. Did you mean "tier"\?/m],
  [['render', '--param', 'discount=many'], /^E968 --param: .*discount/m],
  [['render', '--metadata', 'user'], /^E968 --metadata user: expected name=value\n {2}fix: Give --metadata/m],
  [['run', 'hello'], /^E971 toolwright\.config\.js: it exports no adapter/m],
];

test('a stack names the file of the module where tsconfig.json has a folder for what is compiled', async () => {
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    rootDir: '.',
    outDir: 'dist',
  };
  const own = new CliProject({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    'src/agent/app.ts': "export default () => {\n  throw new TypeError('no database');\n};\n",
  });
  try {
    const { err } = await own.run(['render', '--app', 'src/agent/app.ts']);
    expect(err).toContain(`${join(own.folder, 'src/agent/app.ts')}:2:`);
  } finally {
    own.close();
  }
}, 60_000);

describe('bad input', () => {
  beforeAll(() => {
    project.write('throws.ts', "export default () => {\n  throw new TypeError('no database');\n};\n");
    project.write('alias.ts', "import { Desk } from '@shop/nowhere';\nexport default Desk;\n");
    project.write('alias.js', "import { Desk } from '@shop/desk';\nexport default Desk;\n");
    const options = { experimentalDecorators: true, isolatedModules: true, paths: { '@shop/*': ['./src/*'] } };
    project.write('tsconfig.json', JSON.stringify({ compilerOptions: { target: 'es2022', ...options } }));
    project.write('wrong.ts', 'export default = 5;\n');
  });

  test.each(badAtOnce)('the command refuses the input %j', async (args, said) => {
    const { code, out, err } = await runHere(project.folder, args);
    expect(err).toMatch(said);
    expect([code, out]).toEqual([2, '']);
  });

  test.each(bad)(
    'bad input is refused with exit code 2: %j',
    async (args, said) => {
      const { code, out, err } = await project.run(args);
      expect(err).toMatch(said);
      expect([code, out]).toEqual([2, '']);
    },
    60_000,
  );

  test('with --json, the error is JSON on standard output', async () => {
    expect(await json('call', 'place_oder', '{}')).toMatchObject({
      error: { code: 'E966', remedy: expect.any(String) as unknown },
    });
    expect(await json('check', '--prompt', 'nope/nope')).toMatchObject({ error: { code: 'E965' } });
  }, 60_000);
});

describe('modules of the user', () => {
  /** What the module is written in, and how it is loaded. */
  const kinds: readonly (readonly [
    name: string,
    files: Readonly<Record<string, string>>,
    args: readonly string[],
    packages: readonly string[] | undefined,
  ])[] = [
    ['CommonJS in TypeScript', { 'package.json': '{ "private": true }' }, [], undefined],
    [
      'swc in place of tsc',
      { 'src/desk.ts': (shop['src/desk.ts'] ?? '').replace('import { Person }', 'import type { Person }') },
      [],
      [
        'toolwright',
        'reflect-metadata',
        'class-validator',
        'class-transformer',
        '@swc/core',
        '@swc/types',
        '@swc/counter',
      ],
    ],
    [
      'a module that creates the application itself',
      {
        'app.ts':
          "import { createApplication } from 'toolwright';\nimport { Desk } from './src/desk.js';\nexport const made = await createApplication({ prompts: [Desk] });\n",
      },
      ['--app', 'app.ts#made'],
      undefined,
    ],
    [
      'built JavaScript',
      {
        'app.mjs':
          "import { createApplication, definePrompt, defineSection } from 'toolwright';\nconst orders = defineSection({ key: 'orders', title: 'Orders', template: 'For silver customers: 0 % off.' });\nexport const app = await createApplication({ prompts: [definePrompt({ ns: 'a', key: 'b', sections: [orders] })] });\n",
      },
      ['--app', 'app.mjs'],
      ['toolwright', 'reflect-metadata', 'class-validator', 'class-transformer'],
    ],
  ];

  test.each(kinds)(
    'a project is rendered from its modules: %s',
    async (_name, files, args, packages) => {
      const own = new CliProject({ ...shop, ...files }, packages);
      try {
        const { out, err } = await own.run(['render', ...args]);
        expect([out, err]).toEqual([expect.stringContaining('For silver customers: 0 % off.'), expect.any(String)]);
      } finally {
        own.close();
      }
    },
    60_000,
  );

  test('Toolwright is loaded for what needs it, and for nothing else', async () => {
    expect(existsSync(join(root, 'packages/cli/dist/main.cjs'))).toBe(true);
    const main = readFileSync(join(root, 'packages/cli/dist/main.cjs'), 'utf8');
    expect([...main.matchAll(/require\(["'](@?toolwright[^"']*)/g)].map(([, name]) => name)).toEqual([
      'toolwright/internal/light',
    ]);
  });
});
