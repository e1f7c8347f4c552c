// `node bench/check.mjs`: runs the short form of the benchmarks with ratios that do not depend on the machine, and compares them with
// the stored baseline (bench/baseline.json). `--write` stores the new ratios.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAgainstPackages } from '../scripts/build.mjs';
import { capture, fail, root } from '../scripts/process.mjs';

const names = ['dispatch', 'validation', 'rendering', 'programs'];
const file = join(root, 'bench/baseline.json');
const command = 'node bench/check.mjs --write';
/** The growth of a ratio that counts as a regression. Less growth cannot be told apart from noise on a shared machine. */
const allowance = 1.25;
/** The most runs of a failing bench, because a shared machine may be busy for a while. */
const attempts = 3;

await buildAgainstPackages('bench');
if (process.argv.includes('--write')) store();
else check();

/** The median of the runs of a check. */
function store() {
  const baseline = Object.fromEntries(
    names.map((name) => {
      const runs = Array.from({ length: attempts }, () => ratiosOf(name));
      const middle = (what) => runs.map((rows) => medianOf(rows, what)).sort((a, b) => a - b)[(attempts - 1) / 2];
      return [name, Object.fromEntries(runs[0].map(({ what }) => [what, Number(middle(what).toFixed(2))]))];
    }),
  );
  writeFileSync(file, `${JSON.stringify(baseline, undefined, 2)}\n`);
}

function check() {
  if (!existsSync(file)) fail(`There is no bench/baseline.json: write one with \`${command}\`.`);
  const baseline = JSON.parse(readFileSync(file, 'utf8'));
  const failures = names.flatMap((name) => findFailures(name, baseline[name] ?? {}));
  if (failures.length > 0)
    fail(
      `${failures.join('\n')}\nIf the change is meant to be slower, run \`${command}\`; else see \`npm run bench -- NAME\`.`,
    );
}

/** Finds the ratios that are above their baseline in every run. */
function findFailures(name, baseline) {
  let failures = [];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const rows = ratiosOf(name);
    assertSameRows(name, rows, baseline);
    failures = rows
      .filter(({ what, low }) => low > baseline[what] * allowance)
      .map((row) => describeFailure(name, row, baseline));
    if (failures.length === 0) break;
  }
  console.log(`${name}: ${failures.length === 0 ? 'no regression' : `${failures.length} above the baseline`}`);
  return failures;
}

function describeFailure(name, { what, median, low, high }, baseline) {
  const most = (baseline[what] * allowance).toFixed(2);
  const figure = `${median.toFixed(2)} [${low.toFixed(2)} - ${high.toFixed(2)}]`;
  return `${name}: ${what}: ${figure}, ${attempts} times above ${most}, which is the baseline ${baseline[what]} and 25 %`;
}

/** Checks that every row has a baseline, because a row without one would never fail. */
function assertSameRows(name, rows, baseline) {
  const [given, stored] = [rows.map(({ what }) => what).sort(), Object.keys(baseline).sort()];
  if (String(given) !== String(stored))
    fail(`${name}: bench/baseline.json does not have the measured rows; store them with \`${command}\`.`);
}

function ratiosOf(name) {
  const env = { BENCH_SHORT: '1', BENCH_ALONE: '1' };
  const { ok, output } = capture(process.execPath, ['--expose-gc', `build/bench/${name}.bench.js`], { env });
  if (!ok) fail(`${name} failed:\n${output}`);
  const { rows } = JSON.parse(readFileSync(join(root, 'build/figures-short', `${name}.json`), 'utf8'));
  return rows.filter(({ unit }) => unit === 'x');
}

function medianOf(rows, what) {
  return rows.find((row) => row.what === what).median;
}
