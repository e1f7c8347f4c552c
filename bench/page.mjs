// Writes what `npm run bench` measured (build/figures) into bench/figures.json, and from there into the tables of
// docs/benchmarks.md and the charts of docs/benchmarks/. `npm run bench -- --write` ends with it; it can be called alone, and
// with `--check` lists which of them differ from the figures.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { join, relative } from 'node:path';
import { chart, rounded } from './chart.mjs';
import { versionsFor } from './installPeers.mjs';
import { fail, root } from '../scripts/process.mjs';

const measured = join(root, 'build/figures');
const stored = join(root, 'bench/figures.json');
const page = join(root, 'docs/benchmarks.md');
const charts = join(root, 'docs/benchmarks');
const isBench = (name) => existsSync(join(root, 'bench', `${name}.bench.ts`));
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Benches that were not measured now keep their figures, with the machine and the versions that they were measured with. */
export function writePage() {
  const known = existsSync(stored) ? readJson(stored) : {};
  const all = Object.entries({ ...known, ...measuredNow() });
  const figures = Object.fromEntries(all.filter(([name]) => isBench(name)).sort(byName));
  writeFileSync(stored, `${JSON.stringify(figures, undefined, 2)}\n`);
  mkdirSync(charts, { recursive: true });
  for (const [name, { rows }] of Object.entries(figures)) writeFileSync(join(charts, `${name}.svg`), chart(name, rows));
  writeFileSync(page, filled(readFileSync(page, 'utf8'), figures));
}

function measuredNow() {
  if (!existsSync(measured)) return {};
  const names = readdirSync(measured).filter((file) => isBench(file.replace(/\.json$/, '')));
  return Object.fromEntries(
    names.map((file) => {
      const { at, node, rows } = readJson(join(measured, file));
      const name = file.slice(0, -'.json'.length);
      return [name, { at, node, machine: machine(), peers: versionsFor(name), rows: rows.map(short) }];
    }),
  );
}

function machine() {
  const [{ model } = { model: 'unknown' }] = cpus();
  return `${model}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()}`;
}

/** More digits would only be noise. */
function short({ median, low, high, ...row }) {
  const digits = (value) => Number(value.toPrecision(4));
  return { ...row, median: digits(median), low: digits(low), high: digits(high) };
}

const byName = ([left], [right]) => (left < right ? -1 : 1);

/** Fills in the measurements between `<!-- figures NAME -->` and `<!-- end -->`. */
function filled(text, figures) {
  return text.replace(/(<!-- figures (\S+) -->\n)[\s\S]*?(<!-- end -->)/g, (_all, start, name, end) => {
    const bench = figures[name];
    return `${start}${bench === undefined ? '' : `${table(name, bench)}\n`}${end}`;
  });
}

function table(name, { at, node, machine: computer, peers, rows }) {
  const lines = rows.map(({ what, median, low, high, unit, bound }) => {
    const interval = low === high ? '' : `${rounded(low)} – ${rounded(high)}`;
    const verdict = bound === undefined ? '' : low > bound ? `**${rounded(bound)}, missed**` : rounded(bound);
    return `| ${what} | ${rounded(median)} ${unit} | ${interval} | ${verdict} |`;
  });
  const versions = Object.entries(peers).map(([peer, version]) => `${peer} ${version}`);
  return `
Measured on ${at.slice(0, 10)} with Node ${node.slice(1)} on ${computer}.

![${name}](benchmarks/${name}.svg)

| measurement | median | 95 % interval | at most |
|---|---|---|---|
${lines.join('\n')}

<details><summary>Versions of the peers</summary>

${versions.join(', ')}

</details>
`;
}

/** The files that differ from bench/figures.json. */
function stale() {
  const figures = readJson(stored);
  const text = readFileSync(page, 'utf8');
  const drawn = Object.entries(figures).map(([name, { rows }]) => [join(charts, `${name}.svg`), chart(name, rows)]);
  return [[page, filled(text, figures)], ...drawn].flatMap(([file, wanted]) =>
    existsSync(file) && readFileSync(file, 'utf8') === wanted ? [] : [relative(root, file)],
  );
}

if (process.argv[1] === import.meta.filename) {
  if (!process.argv.includes('--check')) writePage();
  else if (stale().length > 0) fail(`Not as bench/figures.json has it: ${stale().join(', ')}.`);
}
