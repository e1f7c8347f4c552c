import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { container, Desk } from './application/Desk.js';
import { report } from './application/report.js';
import { tsconfigText } from './support/Compiler.js';
import { deskProject } from './support/desk.js';
import { once } from './support/once.js';
import { saidBy } from './support/saidBy.js';
import { viteBuild, type ViteBuild } from './support/vite.js';
import { node, run, Workspace, type Sources } from './support/Workspace.js';

jest.setTimeout(60_000);
const workspace = new Workspace();
afterAll(() => workspace.close());

const expected = report(Desk, container);
const covered = { 'tsconfig.json': tsconfigText({ format: 'esm' }) };
const project = (files: Sources): string => workspace.project('esm', files);

/** A program whose names are derived, or given. */
const names = (key: string, name: string): Sources => ({
  ...covered,
  'src/main.ts': `
    import { createApplication, definePrompt, Param, Section, Tool } from 'toolwright';
    class TransferParams { @Param('Why') reason!: string; }
    @Tool({ ${name} description: 'Hand over.', params: TransferParams })
    class TransferTool { handle(params: TransferParams): string { return params.reason; } }
    @Section({ ${key} title: 'Orders', tools: [TransferTool] })
    class OrdersSection { @Tool('Fetch one order.') getOrder(): void {} }
    const desk = definePrompt({ ns: 'n', key: 'k', sections: [OrdersSection] });
    export const said = createApplication({ prompts: [desk] }).then(async (app) => {
      const { text, tools } = await app.prompt(desk).render();
      return [text, ...tools.map(({ name }) => name)].join(' | ');
    });
  `,
});

const builds = {
  inOneFile: {
    folder: project({ ...deskProject(), ...covered }),
    ssr: { noExternal: true, external: ['class-transformer'] },
  },
  inOneFileWithTransformer: { folder: project({ ...deskProject(), ...covered }), ssr: { noExternal: true } },
  byOwnOptions: {
    folder: project(deskProject()),
    oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  },
  withoutDecorators: {
    folder: project({
      'src/main.ts': `import { Section } from 'toolwright';\n@Section({ title: 'S' }) class S {}\nconsole.log(S);`,
    }),
  },
  withoutOnParameters: { folder: project(deskProject()) },
  minified: { folder: project(names('', '')), minify: true },
  minifiedWithNames: { folder: project(names(`key: 'orders',`, `name: 'transfer_tool',`)), minify: true },
  minifiedKeepingNames: { folder: project(names('', '')), minify: true, keepNames: true },
} satisfies Readonly<Record<string, Omit<ViteBuild, 'format'>>>;
const faults = new Map<string, string>();
beforeAll(async () => {
  const said = await viteBuild(...Object.values(builds).map((build) => ({ ...build, format: 'esm' as const })));
  for (const [index, name] of Object.keys(builds).entries()) faults.set(name, said[index] ?? '');
});

/** A bundle with toolwright in it has a process of its own. */
const alone = once(() => saidBy(workspace, [builds.inOneFile.folder]));
/** The others import the same package, as several bundles of one program do. */
const importing = ['byOwnOptions', 'minified', 'minifiedWithNames', 'minifiedKeepingNames'] as const;
const together = once(() =>
  saidBy(
    workspace,
    importing.map((name) => builds[name].folder),
  ),
);
const output = async (name: 'inOneFile' | (typeof importing)[number]): Promise<string | undefined> => {
  expect(faults.get(name)).toBe('');
  return name === 'inOneFile' ? (await alone())[0] : (await together())[importing.indexOf(name)];
};

describe('Vite', () => {
  test('Vite bundles toolwright with its peers, without class-transformer, into the same bytes', async () => {
    expect(await output('inOneFile')).toBe(await expected);
  });

  test('bundles two builds of class-transformer when it is not left out: E214', async () => {
    expect(faults.get('inOneFileWithTransformer')).toBe('');
    const { code, stderr } = await run(builds.inOneFileWithTransformer.folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(/E214 .*class-transformer/);
  });

  test('Vite loads modules one by one, as vitest and the dev server do, with the same bytes', async () => {
    const program = `
      import { createServer } from 'vite';
      const server = await createServer({
        configFile: false, logLevel: 'error', appType: 'custom', ssr: { external: ['toolwright'] }, server: { middlewareMode: true, ws: false, watch: null },
      });
      const { said } = await server.ssrLoadModule('/src/main.ts');
      process.stdout.write(await said);
      await server.close();
    `;
    const folder = project({ ...deskProject(), ...covered });
    const { stdout, stderr } = await node(folder, ['--input-type=module', '--eval', program]);
    expect(stderr).toBe('');
    expect(stdout).toBe(await expected);
  });

  test('Vite takes the decorators from its own options where no tsconfig.json covers the file', async () => {
    expect(await output('byOwnOptions')).toBe(await expected);
  });

  test('without its decorator options, Vite leaves decorators in its output, which Node cannot read', async () => {
    expect(faults.get('withoutDecorators')).toBe('');
    const { code, stderr } = await run(builds.withoutDecorators.folder);
    expect(code).toBe(1);
    expect(stderr).toContain('SyntaxError: Invalid or unexpected token');
  });

  test('without its decorator options, Vite refuses decorators on parameters', () => {
    expect(faults.get('withoutOnParameters')).toContain('Decorators are not valid here');
  });
});

describe('a minifier', () => {
  const whole = '## 1. Orders (orders) | get_order | transfer_tool';

  test('a minifier renames classes and everything derived from their names; methods keep theirs', async () => {
    const renamed = /^## 1\. Orders \((?!orders)\w+\) \| get_order \| (?!transfer_tool)\w+$/;
    expect(await output('minified')).toMatch(renamed);
  });

  test('a minifier keeps a given key and name', async () => {
    expect(await output('minifiedWithNames')).toBe(whole);
  });

  test('told to keep names, a minifier keeps the derived ones', async () => {
    expect(await output('minifiedKeepingNames')).toBe(whole);
  });
});

describe('a bundle that runs where no package is installed', () => {
  const rolldown = resolve(__dirname, '../../node_modules/rolldown/bin/cli.mjs');
  const program = (rule: string): string => `
    import { createApplication, definePrompt, defineSection, defineTool, Param } from 'toolwright';
    import { Length } from 'class-validator';
    class Params {}
    Param({ description: 'Mail', type: String, format: 'email' })(Params.prototype, 'mail');
    Param({ description: 'Name', type: String, pattern: /^(\\w+\\.?)+$/ })(Params.prototype, 'name');
    ${rule}
    const tool = defineTool({ name: 'note', description: 'Note.', params: Params, handler: () => 'noted' });
    const prompt = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [tool] })] });
    const app = await createApplication({ prompts: [prompt] });
    const { text } = await app.invoke(await app.prompt(prompt).render(), 'note', { mail: 'x', name: '!abcdef' });
    process.stdout.write(text);
  `;

  test.each([
    ['rules', `Length(1, 5)(Params.prototype, 'name');`, ['mail: expected an e-mail', 'name: expected 1 to 5 char']],
    ['formats and patterns only', '', ['mail: expected an e-mail', 'name: expected text that matches']],
  ])(
    'a bundle without installed packages contains the libraries that are loaded late: %s',
    async (_what, rule, expected) => {
      const from = project({ 'main.js': program(rule) });
      const to = mkdtempSync(join(tmpdir(), 'toolwright-bundle-'));
      try {
        const built = await node(from, [rolldown, 'main.js', '--platform', 'node', '--format', 'esm', '--dir', 'out']);
        expect(built).toMatchObject({ code: 0 });
        cpSync(join(from, 'out'), to, { recursive: true });
        const { stdout, stderr } = await node(to, ['--input-type=module', '--eval', "await import('./main.js')"]);
        expect(stderr).toBe('');
        for (const text of expected) expect(stdout).toContain(text);
      } finally {
        rmSync(to, { recursive: true });
      }
    },
  );
});
