// Writes the figures of `npm run bench` (build/figures) into bench/figures.json, and from there into the tables of
// docs/benchmarks.md and the charts of docs/benchmarks/. `npm run bench -- --write` runs it at the end. With `--check`, it lists the
// files that differ from bench/figures.json.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { join, relative } from 'node:path';
import { drawChart, formatFigure } from './chart.mjs';
import { readVersions } from './installPeers.mjs';
import { fail, root } from '../scripts/process.mjs';

const measured = join(root, 'build/figures');
const stored = join(root, 'bench/figures.json');
const page = join(root, 'docs/benchmarks.md');
const charts = join(root, 'docs/benchmarks');
const isBench = (name) => existsSync(join(root, 'bench', `${name}.bench.ts`));
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Writes the figures, the page and the charts. Benches without new figures keep their old ones, with their machine and versions. */
export function writePage() {
  const known = existsSync(stored) ? readJson(stored) : {};
  const all = Object.entries({ ...known, ...readMeasured() });
  const figures = Object.fromEntries(all.filter(([name]) => isBench(name)).sort(byName));
  writeFileSync(stored, `${JSON.stringify(figures, undefined, 2)}\n`);
  mkdirSync(charts, { recursive: true });
  for (const [name, { rows }] of Object.entries(figures))
    writeFileSync(join(charts, `${name}.svg`), drawChart(name, rows));
  writeFileSync(page, fillTables(readFileSync(page, 'utf8'), figures));
}

function readMeasured() {
  if (!existsSync(measured)) return {};
  const names = readdirSync(measured).filter((file) => isBench(file.replace(/\.json$/, '')));
  return Object.fromEntries(
    names.map((file) => {
      const { at, node, rows } = readJson(join(measured, file));
      const name = file.slice(0, -'.json'.length);
      return [name, { at, node, machine: describeMachine(), peers: readVersions(), rows: rows.map(roundRow) }];
    }),
  );
}

function describeMachine() {
  const [{ model } = { model: 'unknown' }] = cpus();
  return `${model}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()}`;
}

/** Rounds the figures of a row to four digits; more would be noise. */
function roundRow({ median, low, high, ...row }) {
  const digits = (value) => Number(value.toPrecision(4));
  return { ...row, median: digits(median), low: digits(low), high: digits(high) };
}

const byName = ([left], [right]) => (left < right ? -1 : 1);

/** Fills in the measurements between `<!-- figures NAME -->` and `<!-- end -->`. */
function fillTables(text, figures) {
  return text.replace(/(<!-- figures (\S+) -->\n)[\s\S]*?(<!-- end -->)/g, (_all, start, name, end) => {
    const bench = figures[name];
    return `${start}${bench === undefined ? '' : `${writeTable(name, bench)}\n`}${end}`;
  });
}

function writeTable(name, { at, node, machine: computer, peers, rows }) {
  const lines = rows.map(({ what, median, low, high, unit, bound }) => {
    const interval = low === high ? '' : `${formatFigure(low)} – ${formatFigure(high)}`;
    const verdict = bound === undefined ? '' : low > bound ? `**${formatFigure(bound)}, missed**` : formatFigure(bound);
    return `| ${what} | ${formatFigure(median)} ${unit} | ${interval} | ${verdict} |`;
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

/** Lists the files that differ from bench/figures.json. */
function listStaleFiles() {
  const figures = readJson(stored);
  const text = readFileSync(page, 'utf8');
  const drawn = Object.entries(figures).map(([name, { rows }]) => [join(charts, `${name}.svg`), drawChart(name, rows)]);
  return [[page, fillTables(text, figures)], ...drawn].flatMap(([file, wanted]) =>
    existsSync(file) && readFileSync(file, 'utf8') === wanted ? [] : [relative(root, file)],
  );
}

if (process.argv[1] === import.meta.filename) {
  if (!process.argv.includes('--check')) writePage();
  else if (listStaleFiles().length > 0)
    fail(`These files differ from bench/figures.json: ${listStaleFiles().join(', ')}.`);
}
