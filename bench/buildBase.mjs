// Exports the base commit into build/base and builds it there, once for each commit.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fingerprint, isFresh, writeStamp } from '../scripts/build.mjs';
import { capture, fail, must, root } from '../scripts/process.mjs';

const file = join(root, 'bench/base.json');
const exported = join(root, 'build/base');

/** Reads the base commit, and the rows that are accepted to be slower than it. */
export function readBase() {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Makes a commit the base. Nothing is accepted to be slower than it. */
export function writeBase(commit) {
  writeFileSync(file, `${JSON.stringify({ commit, accepted: [] }, undefined, 2)}\n`);
}

/** Explains why the base commit is not available; undefined if it is. Fails if the repository has its history but not the commit. */
export function findMissingHistory(commit) {
  if (!existsSync(join(root, '.git'))) return 'this folder is not a git repository';
  if (spawnSync('git', ['--version']).error !== undefined) return 'git is not installed';
  if (capture('git', ['cat-file', '-e', `${commit}^{commit}`]).ok) return undefined;
  const { stdout, output, ok } = capture('git', ['rev-parse', '--is-shallow-repository']);
  if (!ok) fail(output);
  if (stdout.trim() === 'true') return `the clone is shallow and lacks ${commit}; run \`git fetch --unshallow\``;
  return fail(`The commit ${commit} of bench/base.json does not exist. Name one that the history keeps.`);
}

/** Exports the sources of a commit, without building them. Returns their folder. */
export function exportBase(commit) {
  const folder = join(exported, commit);
  if (existsSync(folder)) return folder;
  rmSync(exported, { recursive: true, force: true });
  const partial = `${folder}.partial`;
  mkdirSync(partial, { recursive: true });
  must(`git archive ${commit}`, 'git', ['archive', '--output', `${folder}.tar`, commit]);
  must('tar', 'tar', ['-xf', `${folder}.tar`, '-C', partial]);
  renameSync(partial, folder);
  rmSync(`${folder}.tar`);
  return folder;
}

/** Builds a commit with the installed dependencies of this tree. Returns the folder of the compiled benches, which import that build. */
export function buildBase(commit) {
  const folder = exportBase(commit);
  const stamp = `build/base/${commit}/build/stamps/base`;
  const state = fingerprint(['package-lock.json']);
  if (!isFresh(stamp, state)) {
    linkDependencies(folder);
    console.log(`Building ${commit} in build/base …`);
    must('the build of the base', process.execPath, ['scripts/build.mjs'], { cwd: folder });
    writeStamp(stamp, state);
  }
  const compiled = join(folder, 'build/bench');
  rmSync(compiled, { recursive: true, force: true });
  cpSync(join(root, 'build/bench'), compiled, { recursive: true });
  return compiled;
}

/** Links every installed package, but the base's own packages in place of this tree's. */
function linkDependencies(folder) {
  const linked = join(folder, 'node_modules');
  rmSync(linked, { recursive: true, force: true });
  mkdirSync(join(linked, '@toolwright'), { recursive: true });
  const own = ['toolwright', '@toolwright'];
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => !own.includes(each)))
    symlinkSync(join(root, 'node_modules', name), join(linked, name), 'junction');
  symlinkSync(folder, join(linked, 'toolwright'), 'junction');
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', name), join(linked, '@toolwright', name), 'junction');
  // Otherwise the build would install the packages of the commit's own lock file.
  cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
}
