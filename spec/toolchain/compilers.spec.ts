import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { container as plainContainer, Desk } from './application/Desk.js';
import { container as typedi, Desk as ExplicitDesk } from './application/ExplicitDesk.js';
import { report } from './application/report.js';
import { compilers, run, type Compiler, type Settings } from './support/compilers.js';
import { Workspace } from './support/Workspace.js';

jest.setTimeout(60_000);
const workspace = new Workspace();
afterAll(() => workspace.close());

const main = `
import { container, Desk } from './Desk.js';
import { report } from './report.js';
report(Desk, container).then((text) => process.stdout.write(text));
`;
const source = (name: string): string => readFileSync(join(__dirname, 'application', `${name}.ts`), 'utf8');

/** What the application reports when the compiler built it and Node runs it. */
async function built(compiler: Compiler, desk: 'Desk' | 'ExplicitDesk', settings: Settings): Promise<string> {
  const folder = workspace.project(settings.format, {
    'src/main.ts': main,
    'src/Desk.ts': source(desk),
    'src/report.ts': source('report'),
    'src/shared.ts': source('shared'),
  });
  await compiler.compile(folder, settings);
  const { code, stdout, stderr } = await run(folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

// The reference is what this process says: ts-jest, over the sources of the package.
const expected = report(Desk, plainContainer);

describe('one application, several compilers', () => {
  test('says something: text, tools, and outcomes of every kind', async () => {
    const said = JSON.parse(await expected) as { tools: { name: string }[]; outcomes: { kind: string }[]; text: string };
    expect(said.text).toContain('### 1.1. Hints (orders.hints)\n\nAsk count before you order.');
    expect(said.tools.map(({ name }) => name)).toEqual(['count', 'order', 'who_am_i', 'ping', 'list_items']);
    expect(new Set(said.outcomes.map(({ kind }) => kind))).toEqual(new Set(['succeeded', 'failed', 'rejected']));
  });

  test.each(compilers)('$name gives the same bytes: as ES modules, as CommonJS, with defined fields', async (compiler) => {
    const reports = [
      await built(compiler, 'Desk', { format: 'esm' }),
      await built(compiler, 'Desk', { format: 'cjs', defineFields: true }),
    ];
    for (const text of reports) expect(text).toBe(await expected);
  });

  test('every type can be named: the same bytes, still with metadata', async () => {
    expect(await report(ExplicitDesk, typedi)).toBe(await expected);
  });

  test.each(compilers)('DECL-12 $name without metadata, every type named: the same bytes', async (compiler) => {
    expect(await built(compiler, 'ExplicitDesk', { format: 'esm', metadata: false })).toBe(await expected);
  });
});
