// `node bench/check.mjs`: compares the guarded rows (bench/guard) with the base commit of bench/base.json. Both builds take turns. They
// are compared by CPU time and by allocated bytes. A row that is slower fails, unless bench/base.json accepts it. Names of files or
// rows as arguments choose among them.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildAgainstPackages } from '../scripts/build.mjs';
import { node24 } from '../scripts/node24.mjs';
import { capture, fail, root } from '../scripts/process.mjs';
import { buildBase, exportBase, findMissingHistory, readBase } from './buildBase.mjs';
import { listUnguardedBenches } from './page.mjs';

const compiled = join(root, 'build/bench');
/** The growth over the base that fails, if the whole interval is above it. */
const MAX_RATIO = 1.05;
/**
 * A figure fails only if it fails in each of these pairs of processes. Equal builds differ by up to 9 % in one pair, since each process
 * has another layout of its memory. If the median of many pairs is at the limit, six are all above it with a probability of 1.6 %.
 */
const ATTEMPTS = 6;
/**
 * V8 compiles in the main thread, after the same number of calls in every process, however busy the machine is. Otherwise the bytes of
 * equal builds differ by up to 30 %. The large young generation leaves room for large calls, so that their bytes can be counted.
 */
const flags = ['--single-threaded', '--min-semi-space-size=32', '--max-semi-space-size=32'];

const { commit, accepted } = readBase();
const missing = findMissingHistory(commit);
if (missing === undefined) await check();
else console.log(`absent: the comparison of benchmarks with ${commit} (${missing})`);

async function check() {
  assertFiguresGuarded();
  const { node, problem } = node24();
  if (node === undefined) fail(problem);
  await buildAgainstPackages('bench');
  const base = buildBase(commit);
  const rows = listRows();
  const failures = rows.flatMap((row) => compareRow(row, { node, base }));
  const unknown = accepted.filter(({ row }) => !rows.some(({ file, name }) => row.startsWith(`${file}: ${name}, `)));
  if (unknown.length > 0 && process.argv.length === 2)
    fail(`bench/base.json accepts rows that do not exist: ${unknown.map(({ row }) => row).join('; ')}`);
  if (failures.length > 0)
    fail(
      `${failures.join('\n')}\nMake it as fast as ${commit.slice(0, 8)}, or accept it in bench/base.json (CONTRIBUTING.md, Benchmarks).`,
    );
}

/** Fails if the page has figures of a third code: not of this tree's, and not of the base's, with which this tree is compared. */
function assertFiguresGuarded() {
  const benches = listUnguardedBenches(exportBase(commit));
  if (benches.length > 0)
    fail(
      `docs/benchmarks.md shows figures of older code: ${benches.join(', ')}. Commit the code, then run \`npm run bench -- --write\`.`,
    );
}

function listRows() {
  const require = createRequire(import.meta.url);
  const wanted = process.argv.slice(2);
  const all = readdirSync(join(compiled, 'guard')).flatMap((script) =>
    Object.keys(require(join(compiled, 'guard', script)).rows).map((name) => ({ file: script.slice(0, -3), name })),
  );
  const rows = all.filter(
    ({ file, name }) => wanted.length === 0 || wanted.some((each) => each === file || name.includes(each)),
  );
  return rows.length > 0 ? rows : fail(`No row in bench/guard matches ${wanted.join(', ')}.`);
}

/** Measures a row until each of its figures has passed once. Explains the figures that never did. */
function compareRow({ file, name }, { node, base }) {
  let slower = new Map([['time'], ['bytes']]);
  for (let attempt = 0; attempt < ATTEMPTS && slower.size > 0; attempt++) {
    const first = attempt % 2 === 0 ? 'head' : 'base';
    const args = [...flags, join(compiled, 'harness/compareBuilds.js'), file, name, base, first];
    const { ok, stdout, output } = capture(node, args);
    if (!ok) fail(`${file}: ${name} failed:\n${output}`);
    const ratios = JSON.parse(stdout);
    if (ratios.absent !== undefined) {
      console.log(`absent: ${file}: ${name} (the base cannot run it: ${ratios.absent})`);
      return [];
    }
    console.log(
      `${file}: ${name}: ${Object.entries(ratios)
        .map(([kind, ratio]) => `${kind} ${describeRatio(ratio)}`)
        .join(', ')}`,
    );
    slower = new Map(
      [...slower.keys()].flatMap((kind) => {
        const excess = findExcess(`${file}: ${name}, ${kind}`, ratios[kind]);
        return excess === undefined ? [] : [[kind, excess]];
      }),
    );
  }
  return [...slower.values()];
}

function findExcess(row, ratio) {
  const { atMost } = accepted.find((each) => each.row === row) ?? { atMost: MAX_RATIO };
  return ratio.low > atMost
    ? `${row}: ${describeRatio(ratio)} of the base, and at most ${atMost} is allowed`
    : undefined;
}

function describeRatio({ median, low, high }) {
  return `${median.toFixed(3)} [${low.toFixed(3)} - ${high.toFixed(3)}]`;
}
