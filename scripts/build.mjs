// Builds dist/cjs and dist/esm from src/, and build/samples and build/bench from their folders, each only when it is stale.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { syncExports } from './entries.mjs';
import { must, removedAtExit, root } from './process.mjs';
import { fingerprint, isFresh, writeStamp } from './stamp.mjs';

const formats = { cjs: 'commonjs', esm: 'module' };
/** What src/common/builtFolder.ts declares. */
const builtFolder = {
  cjs: `'use strict';\nexports.builtFolder = require('node:path').dirname(__dirname);\n`,
  esm: `import { fileURLToPath } from 'node:url';\nexport const builtFolder = fileURLToPath(new URL('..', import.meta.url));\n`,
};
const compilerInputs = ['package-lock.json', 'tsconfig.json', 'scripts/build.mjs'];

/** Brings dist/ up to date; gives the stamp of what it was built from. */
export function build() {
  bootstrap();
  syncExports();
  const inputs = ['src', 'package.json', 'tsconfig.cjs.json', 'tsconfig.esm.json', ...compilerInputs];
  return makeWhenStale('dist', fingerprint(inputs), (out) => {
    for (const [format, type] of Object.entries(formats)) {
      compile(`tsconfig.${format}.json`, join(out, format));
      const manifest = { type, sideEffects: sideEffectsIn(format) };
      writeFileSync(join(out, format, 'package.json'), `${JSON.stringify(manifest)}\n`);
      writeFileSync(join(out, format, 'common/builtFolder.js'), builtFolder[format]);
    }
  });
}

/** Compiles samples/ or bench/ against the built package, as a user would. */
export function buildAgainstPackage(folder) {
  const stamp = fingerprint([folder, `tsconfig.${folder}.json`, ...compilerInputs], build());
  makeWhenStale(`build/${folder}`, stamp, (out) => compile(`tsconfig.${folder}.json`, out));
}

/** Makes the folder beside its place and then swaps it in: a failed build leaves the last good one alone. */
function makeWhenStale(folder, stamp, make) {
  const stampFile = `build/stamps/${folder.replace('/', '-')}`;
  if (existsSync(join(root, folder)) && isFresh(stampFile, stamp)) return stamp;
  const target = join(root, folder);
  const fresh = removedAtExit(join(dirname(target), `.dist-${process.pid}`));
  make(fresh);
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

if (process.argv[1] === import.meta.filename) build();
