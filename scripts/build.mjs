// Builds dist/ from src/, and build/samples and build/bench from their folders, each only when it is stale.
import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { must, removedAtExit, root } from './process.mjs';
import { fingerprint, isFresh, writeStamp } from './stamp.mjs';

const compilerInputs = ['package-lock.json', 'tsconfig.json', 'scripts/build.mjs'];
const packageInputs = [
  'src',
  'package.json',
  'tsconfig.src.json',
  'tsdown.config.mjs',
  'scripts/entries.cjs',
  'scripts/commandLine.mjs',
];

/** Brings dist/ up to date; returns the stamp of its sources. */
export async function build() {
  bootstrap();
  return makeWhenStale('dist', fingerprint([...packageInputs, ...compilerInputs]), async (out) => {
    const { build: bundle } = await import('tsdown');
    const { default: configs } = await import('../tsdown.config.mjs');
    for (const config of configs)
      await bundle({ ...config, config: false, cwd: root, outDir: join(out, relative('dist', config.outDir)) });
    const { bundleCommandLine } = await import('./commandLine.mjs');
    await bundleCommandLine(out);
    cpSync(join(root, 'src/cli/templates'), join(out, 'cli/templates'), { recursive: true });
  });
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

if (process.argv[1] === import.meta.filename) await build();
