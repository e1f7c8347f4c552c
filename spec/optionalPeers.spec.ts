import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packages from '../scripts/packages.cjs';
import { ToolwrightError } from '../src/error/ToolwrightError';
import { loadPeer } from '../src/error/loadPeer';

const root = join(__dirname, '..');

/** The imports of optional peers that do not end in E415, and the code or the substitute that they end in. */
const others: Readonly<Record<string, string>> = {
  'packages/durable/src/sqlite/Connection.ts libsql': 'E745',
  'packages/inspector/src/server/PromptDesk.ts @toolwright/openai/tokens': 'estimates by length',
  'packages/programs/src/check/types/loadCompiler.ts typescript': 'checks the syntax, with a warning',
};

/** Lists the imports of optional peers that are not in `loadPeer`. */
function listBareImports(): readonly string[] {
  return packages.flatMap(({ folder, manifest: { peerDependenciesMeta = {} } }) => {
    const src = join(folder, 'src');
    const files = readdirSync(join(root, src), { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.tsx?$/.test(file),
    );
    return files.flatMap((file) => {
      const text = readFileSync(join(root, src, file), 'utf8').replace(/^\s*(\*|\/\/).*$/gm, '');
      const loaded = [
        ...text.matchAll(
          /(loadPeer\([^,]+, \(\) => )?(?:import\(|require\(|requireIfInstalled\(require, )'([^']+)'\)/g,
        ),
      ];
      return loaded
        .filter(([, wrapped]) => wrapped === undefined)
        .map(([, , name = '']) => name)
        .filter((name) => Object.keys(peerDependenciesMeta).some((peer) => `${name}/`.startsWith(`${peer}/`)))
        .map((name) => `${join(src, file)} ${name}`);
    });
  });
}

test('every import of an optional peer ends in a coded error or a substitute', () => {
  expect([...listBareImports()].sort()).toEqual(Object.keys(others).sort());
});

test.each([
  [
    'MODULE_NOT_FOUND',
    "Cannot find module '@toolwright/programs'\nRequire stack:\n- /app/main.cjs",
    '@toolwright/programs',
  ],
  ['ERR_MODULE_NOT_FOUND', "Cannot find package 'acorn' imported from /app/main.mjs", 'acorn'],
  ['ERR_MODULE_NOT_FOUND', "Cannot find package '@a/b/c' imported from /app/main.mjs", '@a/b'],
])('E415 names the missing package: %s, %j', async (code, message, name) => {
  const cause = Object.assign(new Error(message), { code });
  const failed: unknown = await loadPeer('runs', () => Promise.reject(cause)).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ToolwrightError);
  expect(failed).toMatchObject({ code: 'E415', place: 'runs', remedy: `npm install ${name}`, cause });
  expect(String(failed)).toContain(`E415 runs: ${name} is not installed\n  fix: npm install ${name} (docs/`);
});

test('any other error of the package is passed on unchanged', async () => {
  const error = new Error('too old');
  await expect(loadPeer('runs', () => Promise.reject(error))).rejects.toBe(error);
  await expect(loadPeer('runs', () => Promise.resolve(1))).resolves.toBe(1);
});
