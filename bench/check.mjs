// `node bench/check.mjs`: the short form of the benchmarks whose ratios do not depend on the machine, compared with the stored
// baseline (bench/baseline.json). `--write` stores what is measured now.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAgainstPackages } from '../scripts/build.mjs';
import { capture, fail, root } from '../scripts/process.mjs';

const names = ['dispatch', 'validation', 'rendering', 'programs'];
const file = join(root, 'bench/baseline.json');
const command = 'node bench/check.mjs --write';
/** The growth of a ratio that is a regression; less cannot be distinguished from noise on a shared machine. */
const allowance = 1.25;
/** A shared machine may be busy for a while: a bench that fails is repeated. */
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
  const failures = names.flatMap((name) => failuresOf(name, baseline[name] ?? {}));
  if (failures.length > 0)
    fail(`${failures.join('\n')}\nIf it has to be slower, store that: \`${command}\`; else \`npm run bench -- NAME\`.`);
}

/** Ratios that are above their baseline in every run. */
function failuresOf(name, baseline) {
  let failures = [];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const rows = ratiosOf(name);
    assertSameRows(name, rows, baseline);
    failures = rows.filter(({ what, low }) => low > baseline[what] * allowance).map((row) => told(name, row, baseline));
    if (failures.length === 0) break;
  }
  console.log(`${name}: ${failures.length === 0 ? 'no regression' : `${failures.length} above the baseline`}`);
  return failures;
}

function told(name, { what, median, low, high }, baseline) {
  const most = (baseline[what] * allowance).toFixed(2);
  const figure = `${median.toFixed(2)} [${low.toFixed(2)} - ${high.toFixed(2)}]`;
  return `${name}: ${what}: ${figure}, ${attempts} times above ${most}, which is the baseline ${baseline[what]} and 25 %`;
}

/** A row without a baseline would never fail. */
function assertSameRows(name, rows, baseline) {
  const [given, stored] = [rows.map(({ what }) => what).sort(), Object.keys(baseline).sort()];
  if (String(given) !== String(stored))
    fail(`${name}: bench/baseline.json holds other rows than are measured; store them with \`${command}\`.`);
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
