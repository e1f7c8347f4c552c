// Builds build/modules from src/, dist/ from that, and build/samples and build/bench from their folders, each only when it is stale.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { syncExports } from './entries.mjs';
import { must, removedAtExit, root } from './process.mjs';
import { fingerprint, isFresh, writeStamp } from './stamp.mjs';

const formats = { cjs: 'commonjs', esm: 'module' };
/** The module that src/common/builtFolder.ts declares. */
const builtFolder = `import { fileURLToPath } from 'node:url';
export const builtFolder = fileURLToPath(new URL('../../esm', import.meta.url));
`;
const compilerInputs = ['package-lock.json', 'tsconfig.json', 'scripts/build.mjs'];

/** Brings dist/ up to date; returns the stamp of its sources. */
export async function build() {
  bootstrap();
  syncExports();
  const modules = join(root, 'build/modules');
  const compiled = await makeWhenStale(
    'build/modules',
    fingerprint(['src', 'tsconfig.src.json', ...compilerInputs]),
    compileModules,
  );
  const bundlerInputs = [
    'package.json',
    'scripts/bundle.mjs',
    'scripts/inStatements.mjs',
    'scripts/declarations.mjs',
    'scripts/reachableDeclarations.mjs',
    'scripts/entries.json',
  ];
  return makeWhenStale('dist', fingerprint(bundlerInputs, compiled), async (out) => {
    const { bundle, bundleCommandLine } = await import('./bundle.mjs');
    const { declarations } = await import('./declarations.mjs');
    for (const [file, text] of declarations(modules)) {
      mkdirSync(dirname(join(out, file)), { recursive: true });
      writeFileSync(join(out, file), text);
    }
    for (const [format, type] of Object.entries(formats)) {
      const folder = join(out, format);
      const manifest = { type, sideEffects: sideEffectsIn(format) };
      await bundle(modules, folder, format);
      writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest)}\n`);
    }
    await bundleCommandLine(modules, out);
    writeFileSync(join(out, 'cli/package.json'), '{"type":"commonjs"}\n');
  });
}

function compileModules(out) {
  compile('tsconfig.src.json', out);
  writeFileSync(join(out, 'package.json'), '{"type":"module"}\n');
  writeFileSync(join(out, 'common/builtFolder.js'), builtFolder);
}

/** Compiles samples/ or bench/ against the built package, as a user would. */
export async function buildAgainstPackage(folder) {
  const stamp = fingerprint([folder, `tsconfig.${folder}.json`, ...compilerInputs], await build());
  await makeWhenStale(`build/${folder}`, stamp, (out) => compile(`tsconfig.${folder}.json`, out));
}

/** Builds the inspector, and the package that it uses. */
export async function buildInspector() {
  await build();
  const own = 'packages/inspector';
  linkPackage(join(root, own, 'node_modules'));
  const inputs = ['src', 'build.mjs', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
  const stamp = fingerprint([...inputs.map((path) => `${own}/${path}`), 'package-lock.json']);
  await makeWhenStale(`${own}/dist`, stamp, async (out) => {
    const { buildInspector: make } = await import('../packages/inspector/build.mjs');
    await make(out);
  });
}

/** npm links the packages of a workspace, but not the root, which the inspector imports like its users. */
function linkPackage(folder) {
  const link = join(folder, 'toolwright');
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(folder, { recursive: true });
  symlinkSync(root, link, 'junction');
}

/** Builds into a temporary folder and then renames it: a failed build keeps the last good one. */
async function makeWhenStale(folder, stamp, make) {
  const stampFile = `build/stamps/${folder.replaceAll('/', '-')}`;
  if (existsSync(join(root, folder)) && isFresh(stampFile, stamp)) return stamp;
  const target = join(root, folder);
  const fresh = removedAtExit(join(dirname(target), `.dist-${process.pid}`));
  await make(fresh);
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
  writeStamp(stampFile, stamp);
  return stamp;
}

function compile(project, outDir) {
  must(`tsc -p ${project}`, process.execPath, ['node_modules/typescript/bin/tsc', '-p', project, '--outDir', outDir]);
}

/** Bundlers read `sideEffects` from the nearest package.json, which is not the root's for a file in dist/esm. */
function sideEffectsIn(format) {
  const { sideEffects } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const prefix = `./dist/${format}/`;
  return sideEffects.filter((file) => file.startsWith(prefix)).map((file) => `./${file.slice(prefix.length)}`);
}

if (process.argv[1] === import.meta.filename) await build();
