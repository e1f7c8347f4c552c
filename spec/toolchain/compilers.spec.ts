import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { container as plainContainer, Desk } from './application/Desk.js';
import { container as typedi, Desk as ExplicitDesk } from './application/ExplicitDesk.js';
import { report } from './application/report.js';
import type { Project, Settings } from './support/Compiler.js';
import { compilers } from './support/compilers.js';
import { deskProject } from './support/desk.js';
import { once } from './support/once.js';
import { saidBy } from './support/saidBy.js';
import { Workspace, type Sources } from './support/Workspace.js';

jest.setTimeout(60_000);
const workspace = new Workspace();
afterAll(() => workspace.close());

// What every compiler's output is compared with: what this process says, from the sources of the package.
const expected = report(Desk, plainContainer);

const page = readFileSync(join(__dirname, '../../docs/toolchain.md'), 'utf8');
const rows = [...page.matchAll(/^\| `v(.+)` \| (.+) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, declared, ...emitted]) => ({
    declared: declared!.replaceAll('\\|', '|'),
    emitted: emitted.map((cell) => cell.replaceAll('`', '')),
  }),
);
/** A project that says what was emitted for the properties of the table. */
const tableProject = {
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
    export const said = JSON.stringify(Array.from({ length: ${String(rows.length)} }, (_, index) => emitted(index)));
  `,
};

/** The projects that every compiler compiles. */
const projects = {
  esm: { settings: { format: 'esm' }, files: deskProject() },
  cjs: { settings: { format: 'cjs', defineFields: true }, files: deskProject() },
  explicit: { settings: { format: 'esm', metadata: false }, files: deskProject('ExplicitDesk') },
  table: { settings: { format: 'esm' }, files: tableProject },
} satisfies Readonly<Record<string, { readonly settings: Settings; readonly files: Sources }>>;
type Name = keyof typeof projects;

/** The compiled projects: of each compiler, those by name. Each compiler is started once for all of its projects. */
const compiled = once(async () => {
  const all: Readonly<Record<Name, Project>>[] = [];
  for (const compiler of compilers) {
    const made = Object.entries(projects).map(([name, { settings, files }]) => [
      name,
      { folder: workspace.project(settings.format, files), settings },
    ]);
    const byName = Object.fromEntries(made) as Readonly<Record<Name, Project>>;
    await compiler.compile(...Object.values(byName));
    all.push(byName);
  }
  return all;
});

/** The output of a project when each compiler has built it and Node runs it. */
const saidByAll = (name: Name): (() => Promise<readonly string[]>) =>
  once(async () =>
    saidBy(
      workspace,
      (await compiled()).map((byName) => byName[name].folder),
    ),
  );
const said = {
  esm: saidByAll('esm'),
  cjs: saidByAll('cjs'),
  explicit: saidByAll('explicit'),
  table: saidByAll('table'),
};
const columns = compilers.map(({ name }, column) => ({ name, column }));

describe('one application, several compilers', () => {
  test('the application reports a text, tools, and outcomes of every kind', async () => {
    const said = JSON.parse(await expected) as {
      readonly text: string;
      readonly tools: readonly { readonly name: string }[];
      readonly outcomes: readonly { readonly kind: string }[];
    };
    expect(said.text).toContain('### 1.1. Hints (orders.hints)\n\nAsk count before you order.');
    expect(said.tools.map(({ name }) => name)).toEqual(['count', 'order', 'who_am_i', 'ping', 'list_items']);
    expect(new Set(said.outcomes.map(({ kind }) => kind))).toEqual(new Set(['succeeded', 'failed', 'rejected']));
  });

  test.each(columns)(
    '$name: the same bytes as ES modules and as CommonJS, with fields defined or assigned',
    async ({ column }) => {
      expect((await said.esm())[column]).toBe(await expected);
      expect((await said.cjs())[column]).toBe(await expected);
    },
  );

  test('every type can be named: the same bytes', async () => {
    expect(await report(ExplicitDesk, typedi)).toBe(await expected);
  });

  test.each(columns)('DECL-12 $name, no metadata, every type named: the same bytes', async ({ column }) => {
    expect((await said.explicit())[column]).toBe(await expected);
  });
});

describe('the emitted type of a property', () => {
  test('docs/toolchain.md has a table of it', () => {
    expect(rows.length).toBeGreaterThan(10);
  });

  test.each(columns)('$name: the table in docs/toolchain.md matches the emitted types', async ({ column }) => {
    const emitted = JSON.parse((await said.table())[column] ?? '[]') as readonly string[];
    expect(rows.map(({ declared }, index) => `${declared} ${String(emitted[index])}`)).toEqual(
      rows.map((row) => `${row.declared} ${String(row.emitted[column])}`),
    );
  });
});
