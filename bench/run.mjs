// `npm run bench`: installs the peers and runs every bench/*.bench.ts in turn, on Node 24, or only the benches named after `--`
// (`npm run bench -- dispatch`). `--alone` leaves the peers out. `--short` has fewer rounds, and no verdict. `--write` writes the
// figures into docs/benchmarks.md; when it has measured all benches, it makes the commit the base of `node bench/check.mjs`.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildAgainstPackages } from '../scripts/build.mjs';
import { node24 } from '../scripts/node24.mjs';
import { fail, root, run } from '../scripts/process.mjs';
import { writeBase } from './buildBase.mjs';
import { installPeers } from './installPeers.mjs';
import { readMeasuredCommit, writeFigures, writePage } from './page.mjs';

const suffix = '.bench.ts';
const folder = join(root, 'bench');
const isAlone = process.argv.includes('--alone');
const isWriting = process.argv.includes('--write');
const isShort = process.argv.includes('--short');
if (isWriting && (isAlone || isShort)) fail('--write takes whole measurements only, without --alone and --short.');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const all = readdirSync(folder)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length))
  .sort();
const names = all.filter((name) => wanted.length === 0 || wanted.includes(name));
if (names.length === 0) fail(`No benchmark matches ${wanted.join(', ')}. There are ${all.join(', ')}.`);

const commit = isWriting ? readMeasuredCommit() : undefined;
const { node, problem } = node24();
if (node === undefined) fail(problem);
if (!isAlone) installPeers(node);
await buildAgainstPackages('bench');
const broken = names.filter((name) => !runBench(name));
if (isWriting && broken.length === 0 && names.length === all.length) {
  writeBase(commit);
  writePage();
}
if (broken.length > 0) fail(`Without figures: ${broken.join(', ')}.`);

/** Runs a bench. Its figures are written at once, so that an interrupted run keeps them. Returns false if it gave none. */
function runBench(name) {
  console.log(`\n${name}`);
  const figures = join(root, isShort ? 'build/figures-short' : 'build/figures', `${name}.json`);
  rmSync(figures, { force: true });
  const start = performance.now();
  const env = { ...(isAlone ? { BENCH_ALONE: '1' } : {}), ...(isShort ? { BENCH_SHORT: '1' } : {}) };
  // It ends with 1 if a bound is missed, too.
  const code = run(node, ['--expose-gc', `build/bench/${name}.bench.js`], { env });
  process.exitCode = Math.max(process.exitCode ?? 0, code);
  console.log(`(${((performance.now() - start) / 1_000).toFixed(0)} s)`);
  if (!existsSync(figures)) return false;
  if (isWriting) writeFigures(name, commit);
  return true;
}
