// Builds build/modules from src/, dist/ from that, and build/samples and build/bench from their folders, each only when it is stale.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { entries, syncExports } from './entries.mjs';
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
  const bundlerInputs = ['package.json', 'scripts/bundle.mjs', 'scripts/entries.json'];
  return makeWhenStale('dist', fingerprint(bundlerInputs, compiled), async (out) => {
    const { bundle } = await import('./bundle.mjs');
    const declarations = declarationsOf(modules);
    const shown = exportedOf(modules);
    for (const [format, type] of Object.entries(formats)) {
      const folder = join(out, format);
      const manifest = { type, sideEffects: sideEffectsIn(format) };
      for (const file of declarations) {
        const target = join(folder, relative(modules, file));
        mkdirSync(dirname(target), { recursive: true });
        const text = readFileSync(file, 'utf8');
        // The contract stays in the repository, and so do the docblocks of what users cannot import.
        writeFileSync(
          target,
          shown.has(file) ? text.replaceAll('docs/contract.md', 'contract') : withoutDocblocks(text),
        );
      }
      await bundle(modules, folder, format);
      writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest)}\n`);
    }
  });
}

function compileModules(out) {
  compile('tsconfig.src.json', out);
  writeFileSync(join(out, 'package.json'), '{"type":"module"}\n');
  writeFileSync(join(out, 'common/builtFolder.js'), builtFolder);
}

/** The declarations that the entries need, and no others: most modules are internal. */
function declarationsOf(modules) {
  const files = new Set(Object.values(entries).map((name) => join(modules, `${name}.d.ts`)));
  // A set goes on to what is added to it meanwhile.
  for (const file of files)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/['"](\.[^'"]*)\.js['"]/g))
      files.add(join(dirname(file), `${path}.d.ts`));
  return files;
}

/** The declarations of which an entry exports a name, and the entries themselves. */
function exportedOf(modules) {
  const files = Object.values(entries).map((name) => join(modules, `${name}.d.ts`));
  const exported = files.flatMap((file) => {
    const paths = readFileSync(file, 'utf8').matchAll(/^export [^'"]*? from ['"](\.[^'"]*)\.js['"]/gm);
    return [...paths].map(([, path]) => join(dirname(file), `${path}.d.ts`));
  });
  return new Set([...files, ...exported]);
}

function withoutDocblocks(text) {
  return text.replace(/^[ \t]*\/\*\*[^]*?\*\/\r?\n/gm, '');
}

/** Compiles samples/ or bench/ against the built package, as a user would. */
export async function buildAgainstPackage(folder) {
  const stamp = fingerprint([folder, `tsconfig.${folder}.json`, ...compilerInputs], await build());
  await makeWhenStale(`build/${folder}`, stamp, (out) => compile(`tsconfig.${folder}.json`, out));
}

/** Builds into a temporary folder and then renames it: a failed build keeps the last good one. */
async function makeWhenStale(folder, stamp, make) {
  const stampFile = `build/stamps/${folder.replace('/', '-')}`;
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
