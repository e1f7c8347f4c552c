import type { Ending } from '../../../spec/toolchain/support/Workspace';
import { Installation, runTogether, type Replaced } from './Installation';
import { PATIENCE_MS } from './kit';

jest.setTimeout(2 * PATIENCE_MS);

const installations = new Map<string, Installation>();
afterAll(() => {
  for (const installation of installations.values()) installation.remove();
});

/** One for all tests that replace the same: a process leaves nothing in it. */
function installed(replaced: Replaced): Installation {
  const key = JSON.stringify(replaced);
  const known = installations.get(key) ?? new Installation(replaced);
  installations.set(key, known);
  return known;
}

const kit = `
  const said = [];
  const logger = { debug() {}, info() {}, warn: (text) => said.push(text), error: (text) => said.push(text) };
  class Place {}
  const place = defineTool({ name: 'place', description: 'Where it is.', result: String, handler: () => 'Oslo' });
  const kitWith = (options) => Toolkit.from([place], { logger, ...options });
`;
const report = (facts: string): string => `process.stdout.write(JSON.stringify(${facts}));`;
const failing = `${kit}
  const sandbox = new QuickJsSandbox();
  const options = { check: 'syntax', sandbox };
  const failure = await (await kitWith(options)).execute('return await place()').catch((error) => error);
  await sandbox.close();
  ${report("[failure.name, failure.code, failure.message.split('\\n')]")}
`;
type Failure = readonly [name: string, code: string, lines: readonly string[]];

const mistyped = "'const at: string = await place();\\nreturn at.lenght === undefined;'";
const find = `const { error } = await (await kitWith({ check: 'types' })).execute(${mistyped});`;
const endings = new Map<string, Promise<Ending>>();

/**
 * The output of a process that ran a good program with the default check and then one with a type error, in one process since
 * loading the compiler costs most.
 */
function whole(format: 'esm' | 'cjs'): Promise<Ending> {
  const ending =
    endings.get(format) ??
    installed({}).run(
      format,
      `${kit} const good = await (await kitWith({})).execute('const at: string = await place();\\nreturn at;');
      const ran = [good.returnValue, good.error, [...said]];
      ${find} ${report('{ ran, found: [error.name, said] }')}`,
    );
  endings.set(format, ending);
  return ending;
}

const unchecked = `${kit}
  const values = [];
  for (const check of [undefined, 'types', 'types'])
    values.push((await (await kitWith({ check })).execute(${mistyped})).returnValue, said.length);
  ${report('[values, said]')}
`;

const noCompiler = { typescript: null, '@typescript/typescript6': null };
const noApi = { typescript: 'typescript7', '@typescript/typescript6': null };
/** Installations in which something is missing, and what is done in each. */
const incomplete: readonly (readonly [replaced: Replaced, format: 'esm' | 'cjs', body: string])[] = [
  [{ 'quickjs-wasi': null }, 'esm', failing],
  [{ 'quickjs-wasi': null }, 'cjs', failing],
  [{ acorn: null }, 'esm', failing],
  [{ acorn: null }, 'cjs', failing],
  [{ sucrase: null }, 'esm', failing],
  [noCompiler, 'esm', unchecked],
  [noCompiler, 'cjs', unchecked],
  [noApi, 'esm', unchecked],
];
let together: Promise<Ending> | undefined;

/** What is reported where something is missing. One process loads all of these installations, each with packages of its own. */
async function without(replaced: Replaced, format: 'esm' | 'cjs'): Promise<unknown> {
  const run = (): Promise<Ending> =>
    runTogether(incomplete.map(([missing, inFormat, body]) => installed(missing).module(inFormat, body)));
  const { code, stdout, stderr } = await (together ??= run());
  expect([code, stderr]).toEqual([0, '']);
  const key = JSON.stringify([replaced, format]);
  const line = incomplete.findIndex(([missing, inFormat]) => JSON.stringify([missing, inFormat]) === key);
  return JSON.parse(stdout.split('\n')[line] ?? '');
}

describe('programs with the built package', () => {
  test.each(['esm', 'cjs'] as const)('a process that ran one ends by itself (%s)', async (format) => {
    const { stdout, ...ending } = await whole(format);
    expect(ending).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ ran: ['Oslo', null, []] });
  });

  test.each(['esm', 'cjs'] as const)('E651 says what to install where quickjs-wasi is missing (%s)', async (format) => {
    const [name, fault, lines] = (await without({ 'quickjs-wasi': null }, format)) as Failure;
    expect([name, fault]).toEqual(['SandboxError', 'E651']);
    expect(lines.join('\n')).toMatch(/programs need the package quickjs-wasi[^]*npm install quickjs-wasi@3\.6\.2/);
  });

  test.each([
    ['acorn', 'esm'],
    ['acorn', 'cjs'],
    ['sucrase', 'esm'],
  ] as const)('E663 says what to install where %s is missing (%s)', async (missing, format) => {
    const [name, fault, lines] = (await without({ [missing]: null }, format)) as Failure;
    expect([name, fault]).toEqual(['ProgramError', 'E663']);
    expect(lines.join('\n')).toMatch(new RegExp(`'${missing}'[^]*npm install acorn sucrase`));
  });

  const nothing = 'the package typescript, which is not installed: npm install @typescript/typescript6.';
  const old = "the compiler's API, which typescript 7.0.2 does not have: npm install @typescript/typescript6.";
  test.each([
    ['no compiler', noCompiler, nothing, 'esm'],
    ['no compiler', noCompiler, nothing, 'cjs'],
    ['TypeScript 7', noApi, old, 'esm'],
  ] as const)(
    'with %s, a program is checked for syntax only, and the reason is given once (%#)',
    async (_what, compiler, reason, format) => {
      const [values, said] = (await without(compiler, format)) as [unknown[], string[]];
      expect(values).toEqual([true, 0, true, 1, true, 1]);
      expect(said.join()).toContain(`check: 'types' needs ${reason}`);
    },
  );

  test.each(['esm', 'cjs'] as const)(
    'with TypeScript 6, a program’s types are checked without a warning (%s)',
    async (format) => {
      const { stdout } = await whole(format);
      expect(JSON.parse(stdout)).toMatchObject({ found: ['TS2551', []] });
    },
  );

  test.each([
    ['TypeScript 7 and @typescript/typescript6', { typescript: 'typescript7' }, 'cjs'],
    ['@typescript/typescript6 alone', { typescript: null }, 'esm'],
  ] as const)('with %s, a program’s types are checked without a warning (%#)', async (_what, replaced, format) => {
    const installation = installed(replaced);
    const { stdout } = await installation.run(format, `${kit} ${find} ${report('[error.name, said]')}`);
    expect(JSON.parse(stdout)).toEqual(['TS2551', []]);
  });
});
