import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { container, Desk } from './application/Desk.js';
import { report } from './application/report.js';
import { deskProject } from './support/desk.js';
import { esbuild } from './support/esbuild.js';
import { once } from './support/once.js';
import { saidBy } from './support/saidBy.js';
import { swc } from './support/swc.js';
import { tsc, typescriptProgram } from './support/tsc.js';
import { tsc7 } from './support/tsc7.js';
import { Cases } from './support/verdictsOf.js';
import { viteBuild } from './support/vite.js';
import { node, Workspace } from './support/Workspace.js';

jest.setTimeout(60_000);
const root = resolve(__dirname, '../..');
const workspace = new Workspace();
afterAll(() => workspace.close());
const cases = new Cases(workspace);
const settings = { format: 'esm', standard: true } as const;
const compilers = [tsc, tsc7, swc, esbuild];
const columns = compilers.map(({ name }, column) => ({ name, column }));

describe('the application in standard decorators', () => {
  const expected = report(Desk, container);
  const said = once(async () => {
    const folders: string[] = [];
    for (const format of ['esm', 'cjs'] as const)
      for (const compiler of compilers) {
        const folder = workspace.project(format, deskProject('../standard/Desk'));
        await compiler.compile({ folder, settings: { ...settings, format, defineFields: format === 'cjs' } });
        folders.push(folder);
      }
    return saidBy(workspace, folders);
  });

  test.each(columns)(
    '$name: standard decorators give the same bytes as ES modules and as CommonJS, with fields defined or assigned',
    async ({ column }) => {
      expect((await said())[column]).toBe(await expected);
      expect((await said())[compilers.length + column]).toBe(await expected);
    },
  );

  test('tsx runs standard decorators from the sources, with the same bytes', async () => {
    const folder = workspace.project('esm', {
      ...deskProject('../standard/Desk'),
      'src/print.ts': `import { said } from './main.js';\nprocess.stdout.write(await said);`,
    });
    const { stdout, stderr } = await node(folder, [join(root, 'node_modules/tsx/dist/cli.mjs'), 'src/print.ts']);
    expect(stderr).toBe('');
    expect(stdout).toBe(await expected);
  });

  test('Vite without options compiles standard decorators with a plugin of a few lines, with the same bytes', async () => {
    const folder = workspace.project('esm', deskProject('../standard/Desk'));
    expect(await viteBuild({ folder, format: 'esm', standard: true })).toEqual(['']);
    expect(await saidBy(workspace, [folder])).toEqual([await expected]);
  });

  test('docs/toolchain.md shows the plugin with which the spec compiles', () => {
    const plugin = readFileSync(join(__dirname, 'support/standardDecorators.mjs'), 'utf8')
      .split('\n')
      .slice(1)
      .join('\n');
    expect(readFileSync(join(root, 'docs/toolchain.md'), 'utf8')).toContain(plugin.trim());
  });
});

describe('the same faults have the same findings', () => {
  const sections = `
    class NoRules { @Param('Order id') orderId; }
    class Wrong { @Param({ description: 'Count', type: Number, max: 5, default: 6 }) count; }
    class Empty {}
    const first = { description: 'Fetch one order.', params: Empty };
    @Section({ title: 'S' }) class Untyped { @Tool({ description: 'Fetch.', params: NoRules }) getOne(params: NoRules): void {} }
    @Section({ title: 'S' }) class Ruled { @Tool({ description: 'Fetch.', params: Wrong }) getOne(params: Wrong): void {} }
    @Section({ title: 'S' }) class Undeclared { @Tool({ description: 'Fetch.', params: Empty }) getOne(params: Empty): void {} }
    @Section({ title: 'S' }) class Unnamed { @Tool('Fetch.') getOne(params): void {} }
    @Section({ title: 'S' }) class Long { @Tool('x'.repeat(201)) getOne(): void {} }
    @Section({ title: 'S' }) class Twice { @Tool('One.') @Tool('Two.') getOne(): void {} }
    @Section({ title: 'S', template: 'Ask \${nothing}.' }) class Template {}
    @Section({ title: 'S', tolls: [] }) class Misspelt {}
    @Tool('Fetch.') class Headless {}
    @Section({ title: 'S', tools: [Headless] }) class Tools {}
    @Section({ title: 'S' }) class Service { constructor(readonly clock: Date) {} }
    export const sections = [Untyped, Ruled, Undeclared, Unnamed, Long, Twice, Template, Misspelt, Tools, Service].map((type) => () => type);
  `;
  const written = (entry: string) => ({
    'src/sections.ts': `// @ts-nocheck\nimport { Param, Section, Tool } from '${entry}';\n${sections}`,
  });
  const experimental = cases.add({
    compiler: tsc,
    settings: { format: 'esm', metadata: false },
    files: written('toolwright'),
  });
  const standard = compilers.map((compiler) => ({
    name: compiler.name,
    verdictsOf: cases.add({ compiler, settings, files: written('toolwright/es') }),
  }));

  test('every declaration of the comparison is refused', async () => {
    const verdicts = await experimental();
    expect(verdicts.map(({ code }) => code)).toEqual([
      'E201',
      'E203',
      'E219',
      'E106',
      'E102',
      'E110',
      'E304',
      'E312',
      'E107',
      'E401',
    ]);
  });

  test.each(standard)(
    '$name: standard decorators have the findings of the experimental ones',
    async ({ verdictsOf }) => {
      expect(await verdictsOf()).toEqual(await experimental());
    },
  );
});

describe('decorators of toolwright/es where they do not belong', () => {
  const applied = [
    ['@Section S', `@Section({ title: 'S' }) class S {}`],
    ['@Tool ping', `class S { @Tool('Answer.') ping(): void {} }`],
    ['@Param city', `class P { @Param('City') city = ''; }`],
    ['@Prompt D', `@Prompt({ ns: 'n', key: 'k', sections: [] }) class D {}`],
    ['@Reducer add', `class P { @Reducer(() => Date) add(): void {} }`],
  ] as const;
  const files = {
    ...Object.fromEntries(
      applied.map(([, text], index) => [
        `src/Class${String(index)}.ts`,
        `import { Param, Prompt, Reducer, Section, Tool } from 'toolwright/es';\n${text}\nexport {};`,
      ]),
    ),
    'src/sections.ts': `export const sections = [${applied.map((_, index) => `() => import('./Class${String(index)}.js')`).join()}];`,
  };
  const experimental = compilers.map((compiler) => ({
    name: compiler.name,
    verdictsOf: cases.add({ compiler, settings: { format: 'esm' }, files }),
  }));

  test.each(experimental)(
    '$name: E115 with experimentalDecorators, with the decorator and its member',
    async ({ verdictsOf }) => {
      const verdicts = await verdictsOf();
      expect(verdicts).toHaveLength(applied.length);
      for (const [index, [decorator]] of applied.entries()) {
        const place = /^@(?:Section|Prompt)/.exec(decorator)?.[0] ?? decorator;
        expect(verdicts[index]).toMatchObject({ name: 'PromptValidationError', code: 'E115' });
        expect(verdicts[index]?.message).toContain(`E115 ${place}: `);
        expect(verdicts[index]?.message).toContain('Import the decorator from toolwright, ');
      }
    },
  );

  const misplaced = [
    ['@Tool #one', 'private method', `class S { @Tool('One.') #one() {} }`],
    ['@Tool one', 'static method', `class S { @Tool('One.') static one() {} }`],
    ['@Tool one', 'getter', `class S { @Tool('One.') get one() { return 1; } }`],
    ['@Param one', 'accessor', `class S { @Param('One') accessor one = 1; }`],
    ['@Param one', 'method', `class S { @Param('One') one() {} }`],
    ['@Param #one', 'private static field', `class S { @Param('One') static #one = 1; }`],
    ['@Section one', 'method', `class S { @Section({ title: 'S' }) one() {} }`],
    ['@Reducer S', 'class', `@Reducer(() => Date) class S {}`],
  ] as const;
  const elsewhere = compilers.map((compiler) => ({
    name: compiler.name,
    verdictsOf: cases.add({
      compiler,
      settings,
      files: {
        ...Object.fromEntries(
          misplaced.map(([, , text], index) => [
            `src/Class${String(index)}.ts`,
            `// @ts-nocheck\nimport { Param, Reducer, Section, Tool } from 'toolwright/es';\n${text}\nexport {};`,
          ]),
        ),
        'src/sections.ts': `export const sections = [${misplaced.map((_, index) => `() => import('./Class${String(index)}.js')`).join()}];`,
      },
    }),
  }));

  test.each(elsewhere)('$name: E116 on a member or class that the decorator cannot declare', async ({ verdictsOf }) => {
    const verdicts = await verdictsOf();
    expect(verdicts.map(({ code, message }) => `${String(code)} ${message.split('\n')[2] ?? ''}`)).toEqual(
      misplaced.map(([place, kind]) => `E116 E116 ${place}: it is applied to the ${kind}`),
    );
  });
});

describe('the types of standard decorators', () => {
  test('tsc finds a handler that does not take the params and inject of its tool', () => {
    const folder = workspace.project('esm', {
      'src/sections.ts': `
        import { Section, Tool } from 'toolwright/es';
        class Params { declare readonly id: string; }
        @Section({ title: 'S' })
        export class S { @Tool({ description: 'One.', params: Params }) one(params: number): void {} }
      `,
    });
    const { complaints } = typescriptProgram({ folder, settings }, {});
    expect(complaints()).toEqual(['TS1241 sections.ts']);
  });
});
