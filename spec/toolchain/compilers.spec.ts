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
