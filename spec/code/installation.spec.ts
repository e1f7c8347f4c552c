import { PATIENCE_MS } from './kit';
import { Installation, type Replaced } from './Installation';

jest.setTimeout(2 * PATIENCE_MS);

async function within(replaced: Replaced, work: (installation: Installation) => Promise<void>): Promise<void> {
  const installation = new Installation(replaced);
  try {
    await work(installation);
  } finally {
    installation.remove();
  }
}

const kit = `
  const said = [];
  const logger = { debug() {}, info() {}, warn: (text) => said.push(text), error: (text) => said.push(text) };
  class Place {}
  const place = defineTool({ name: 'place', description: 'Where it is.', result: String, handler: () => 'Oslo' });
  const kitWith = (options) => Toolkit.from([place], { logger, ...options });
`;
const report = (facts: string): string => `process.stdout.write(JSON.stringify(${facts}));`;
const failure = `
  const sandbox = new QuickJsSandbox();
  const options = { check: 'syntax', sandbox };
  const failure = await (await kitWith(options)).execute('return await place()').catch((error) => error);
  await sandbox.close();
  ${report("[failure.name, failure.code, failure.message.split('\\n')]")}
`;

describe('programs with the built package', () => {
  test.each(['esm', 'cjs'] as const)('a process that ran one ends by itself (%s)', async (format) => {
    await within({}, async (installation) => {
      const ending = await installation.run(
        format,
        `${kit} const { returnValue, error } = await (await kitWith({})).execute('const at: string = await place();\\nreturn at;');
        ${report('[returnValue, error, said]')}`,
      );
      expect(ending).toEqual({ code: 0, stdout: '["Oslo",null,[]]', stderr: '' });
    });
  });

  test.each(['esm', 'cjs'] as const)('E651 without quickjs-wasi, and says what to install (%s)', async (format) => {
    await within({ 'quickjs-wasi': null }, async (installation) => {
      const { code, stdout, stderr } = await installation.run(format, kit + failure);
      expect([code, stderr]).toEqual([0, '']);
      const [name, fault, lines] = JSON.parse(stdout) as [string, string, string[]];
      expect([name, fault]).toEqual(['SandboxError', 'E651']);
      expect(lines.join('\n')).toMatch(/programs need the package quickjs-wasi[^]*npm install quickjs-wasi@3\.6\.2/);
    });
  });

  test.each([
    ['acorn', 'esm'],
    ['acorn', 'cjs'],
    ['sucrase', 'esm'],
  ] as const)('E663 without %s, and says what to install (%s)', async (missing, format) => {
    await within({ [missing]: null }, async (installation) => {
      const { code, stdout, stderr } = await installation.run(format, kit + failure);
      expect([code, stderr]).toEqual([0, '']);
      const [name, fault, lines] = JSON.parse(stdout) as [string, string, string[]];
      expect([name, fault]).toEqual(['ProgramError', 'E663']);
      expect(lines.join('\n')).toMatch(new RegExp(`'${missing}'[^]*npm install acorn sucrase`));
    });
  });

  const mistyped = "'const at: string = await place();\\nreturn at.lenght === undefined;'";

  test.each([
    [
      'no compiler',
      null,
      'the package typescript, which is not installed: npm install @typescript/typescript6.',
      'esm',
    ],
    [
      'no compiler',
      null,
      'the package typescript, which is not installed: npm install @typescript/typescript6.',
      'cjs',
    ],
    ['TypeScript 7', 'typescript7', "the compiler's API, which typescript 7.0.2 does not have: npm install ", 'esm'],
    ['TypeScript 7', 'typescript7', "the compiler's API, which typescript 7.0.2 does not have: npm install ", 'cjs'],
  ] as const)('with %s, checks syntax only and says why once (%#)', async (_what, typescript, reason, format) => {
    await within({ typescript, '@typescript/typescript6': null }, async (installation) => {
      const { stdout, stderr } = await installation.run(
        format,
        `${kit}
        const values = [];
        for (const check of [undefined, 'types', 'types'])
          values.push((await (await kitWith({ check })).execute(${mistyped})).returnValue, said.length);
        ${report('[values, said]')}`,
      );
      expect(stderr).toBe('');
      const [values, said] = JSON.parse(stdout) as [unknown[], string[]];
      expect(values).toEqual([true, 0, true, 1, true, 1]);
      expect(said.join()).toContain(`check: 'types' needs ${reason}`);
    });
  });

  test.each([
    ['TypeScript 6', {}, 'esm'],
    ['TypeScript 6', {}, 'cjs'],
    ['TypeScript 7 and @typescript/typescript6', { typescript: 'typescript7' }, 'esm'],
    ['TypeScript 7 and @typescript/typescript6', { typescript: 'typescript7' }, 'cjs'],
    ['@typescript/typescript6 alone', { typescript: null }, 'esm'],
  ] as const)('with %s, checks types without a warning (%#)', async (_what, replaced, format) => {
    await within(replaced, async (installation) => {
      const { stdout } = await installation.run(
        format,
        `${kit} const { error } = await (await kitWith({ check: 'types' })).execute(${mistyped});
        ${report('[error.name, said]')}`,
      );
      expect(JSON.parse(stdout)).toEqual(['TS2551', []]);
    });
  });
});
