import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { container as plainContainer, Desk } from './application/Desk.js';
import { container as typedi, Desk as ExplicitDesk } from './application/ExplicitDesk.js';
import { report } from './application/report.js';
import type { Compiler, Settings } from './support/Compiler.js';
import { compilers } from './support/compilers.js';
import { deskProject } from './support/desk.js';
import { run, Workspace } from './support/Workspace.js';

jest.setTimeout(60_000);
const workspace = new Workspace();
afterAll(() => workspace.close());

// What every compiler's output is compared with: what this process says, from the sources of the package.
const expected = report(Desk, plainContainer);

/** What the application reports when the compiler has built it and Node runs it. */
async function built(compiler: Compiler, all: readonly Settings[], desk?: 'ExplicitDesk'): Promise<readonly string[]> {
  const projects = all.map((settings) => ({
    folder: workspace.project(settings.format, deskProject(desk)),
    settings,
  }));
  await compiler.compile(...projects);
  const endings = await Promise.all(projects.map(({ folder }) => run(folder)));
  expect(endings.map(({ stderr }) => stderr).join('')).toBe('');
  return endings.map(({ stdout }) => stdout);
}

describe('one application, several compilers', () => {
  test('it reports a text, tools, and outcomes of every kind', async () => {
    const said = JSON.parse(await expected) as {
      readonly text: string;
      readonly tools: readonly { readonly name: string }[];
      readonly outcomes: readonly { readonly kind: string }[];
    };
    expect(said.text).toContain('### 1.1. Hints (orders.hints)\n\nAsk count before you order.');
    expect(said.tools.map(({ name }) => name)).toEqual(['count', 'order', 'who_am_i', 'ping', 'list_items']);
    expect(new Set(said.outcomes.map(({ kind }) => kind))).toEqual(new Set(['succeeded', 'failed', 'rejected']));
  });

  test.each(compilers)(
    '$name: the same bytes as ES modules and as CommonJS, with fields defined or assigned',
    async (compiler) => {
      const [esm, cjs] = await built(compiler, [{ format: 'esm' }, { format: 'cjs', defineFields: true }]);
      expect(esm).toBe(await expected);
      expect(cjs).toBe(await expected);
    },
  );

  test('every type can be named: the same bytes', async () => {
    expect(await report(ExplicitDesk, typedi)).toBe(await expected);
  });

  test.each(compilers)('DECL-12 $name, no metadata, every type named: the same bytes', async (compiler) => {
    const [esm] = await built(compiler, [{ format: 'esm', metadata: false }], 'ExplicitDesk');
    expect(esm).toBe(await expected);
  });
});

describe('what is emitted for a property', () => {
  const page = readFileSync(join(__dirname, '../../docs/toolchain.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `v(.+)` \| (.+) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
    ([, declared, ...emitted]) => ({
      declared: declared!.replaceAll('\\|', '|'),
      emitted: emitted.map((cell) => cell.replaceAll('`', '')),
    }),
  );
  const files = {
    'src/Order.ts': `
      export class Order {}
      export enum Unit { Piece = 'piece', Kilogram = 'kg' }
      export type Status = 'open' | 'closed';
      export interface Row { readonly id: string; }
    `,
    'src/main.ts': `
      import type { Ref } from 'toolwright';
      import 'reflect-metadata';
      import { Order, Unit, type Row, type Status } from './Order.js';
      import type { Order as TypeOnly } from './Order.js';
      const noted = (_prototype: object, _member: string): void => {};
      class Holder {
        ${rows.map(({ declared }, index) => `@noted v${String(index)}${declared.replace(/^:/, '!:')};`).join('\n')}
      }
      const emitted = (index: number): string => {
        const key = 'v' + String(index);
        if (!Reflect.hasMetadata('design:type', Holder.prototype, key)) return 'nothing';
        const type = Reflect.getMetadata('design:type', Holder.prototype, key);
        return type === Unit ? 'the enum' : type.name;
      };
      process.stdout.write(JSON.stringify(Array.from({ length: ${String(rows.length)} }, (_, index) => emitted(index))));
    `,
  };

  test('docs/toolchain.md has a table of it', () => {
    expect(rows.length).toBeGreaterThan(10);
  });

  test.each(compilers.map((compiler, column) => ({ name: compiler.name, compiler, column })))(
    '$name: what the table in docs/toolchain.md says',
    async ({ compiler, column }) => {
      const project = { folder: workspace.project('esm', files), settings: { format: 'esm' } as const };
      await compiler.compile(project);
      const { stdout, stderr } = await run(project.folder);
      expect(stderr).toBe('');
      const emitted = JSON.parse(stdout) as readonly string[];
      expect(rows.map(({ declared }, index) => `${declared} ${String(emitted[index])}`)).toEqual(
        rows.map((row) => `${row.declared} ${String(row.emitted[column])}`),
      );
    },
  );
});
