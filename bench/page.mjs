// Writes figures of `npm run bench -- --write` (build/figures) into bench/figures.json, and from there into the tables of
// docs/benchmarks.md, the rows that docs/comparison.md quotes, and the charts of docs/benchmarks. `--check` lists files that differ from bench/figures.json and bench/base.json.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { join, relative } from 'node:path';
import { capture, fail, root } from '../scripts/process.mjs';
import { readBase } from './buildBase.mjs';
import { drawChart, formatFigure } from './chart.mjs';
import { hashMeasuredCode, readPeerVersions } from './measuredCode.mjs';

const stored = join(root, 'bench/figures.json');
const page = join(root, 'docs/benchmarks.md');
const comparison = join(root, 'docs/comparison.md');
const charts = join(root, 'docs/benchmarks');
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Returns the commit that is measured. Fails if the measured code is not committed. */
export function readMeasuredCommit() {
  const { ok, stdout, output } = capture('git', ['status', '--porcelain', '--', 'src', 'packages/*/src']);
  if (!ok) fail(output);
  if (stdout !== '') fail(`Figures name the commit that they are of, so commit these files first:\n${stdout}`);
  return capture('git', ['rev-parse', 'HEAD']).stdout.trim();
}

/** Writes the figures of a bench, the page and the charts. Other benches keep their figures. */
export function writeFigures(bench, commit) {
  const { at, node, rows } = readJson(join(root, 'build/figures', `${bench}.json`));
  const machine = describeMachine();
  const code = hashMeasuredCode(bench);
  const own = { at, commit, code, node, machine, peers: readPeerVersions(bench), rows: rows.map(roundRow) };
  const known = Object.entries({ ...readJson(stored), [bench]: own });
  const figures = Object.fromEntries(known.filter(([name]) => isBench(name)).sort(byName));
  writeFileSync(stored, `${JSON.stringify(figures, undefined, 2)}\n`);
  writePage();
}

/** Writes the page and the charts from bench/figures.json and bench/base.json. */
export function writePage() {
  mkdirSync(charts, { recursive: true });
  for (const [file, text] of createFiles()) writeFileSync(file, text);
}

/** Lists the benches with figures of other code than this tree has. */
export function listOutdatedBenches() {
  return Object.entries(readJson(stored)).flatMap(([bench, { code }]) =>
    code === hashMeasuredCode(bench) ? [] : [bench],
  );
}

/** Lists the benches with figures neither of this tree's code nor of the base's, of which a folder holds the sources. */
export function listUnguardedBenches(folder) {
  const figures = readJson(stored);
  return listOutdatedBenches().filter((bench) => figures[bench].code !== hashMeasuredCode(bench, folder));
}

const isBench = (name) => existsSync(join(root, 'bench', `${name}.bench.ts`));
const byName = ([left], [right]) => (left < right ? -1 : 1);

function describeMachine() {
  const [{ model } = { model: 'unknown' }] = cpus();
  return `${model}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()}`;
}

/** Rounds the figures of a row to four digits; more would be noise. */
function roundRow({ median, low, high, ...row }) {
  const digits = (value) => Number(value.toPrecision(4));
  return { ...row, median: digits(median), low: digits(low), high: digits(high) };
}

/** Creates the text of the page and of each chart, by file. */
function createFiles() {
  const figures = readJson(stored);
  const text = readFileSync(page, 'utf8');
  const drawn = Object.entries(figures).map(([name, { rows }]) => [
    join(charts, `${name}.svg`),
    drawChart(findHeading(text, name), rows),
  ]);
  return [
    [page, fillPage(text, figures)],
    [comparison, updateQuotes(readFileSync(comparison, 'utf8'), figures)],
    ...drawn,
  ];
}

/** Finds the question above the figures of a bench. */
function findHeading(text, bench) {
  const [above] = text.split(`<!-- figures ${bench} -->`);
  return (
    above
      .match(/^#+ .*$/gm)
      ?.at(-1)
      ?.replace(/^#+ /, '') ?? bench
  );
}

/** Fills in the parts between `<!-- figures NAME -->` or `<!-- accepted -->` and `<!-- end -->`. */
function fillPage(text, figures) {
  return text
    .replace(/(<!-- figures (\S+) -->\n)[\s\S]*?(<!-- end -->)/g, (_all, start, name, end) => {
      const bench = figures[name];
      return `${start}${bench === undefined ? '' : `${writeTable(name, bench)}\n`}${end}`;
    })
    .replace(/(<!-- accepted -->\n)[\s\S]*?(<!-- end -->)/, (_all, start, end) => `${start}${writeAccepted()}${end}`);
}

/** Replaces each row of a page that begins with the name of a measurement by the present one. */
function updateQuotes(text, figures) {
  const rows = Object.values(figures).flatMap((bench) => bench.rows);
  return text.replace(/^\| (.+?) \| [\d.]+ x \|.*$/gm, (line, quoted) => {
    const row = rows.find(({ what }) => what === quoted);
    return row === undefined ? line : writeRow(row);
  });
}

function writeRow({ what, median, low, high, unit, bound }) {
  const interval = low === high ? '' : `${formatFigure(low)} – ${formatFigure(high)}`;
  const verdict = bound === undefined ? '' : low > bound ? `**${formatFigure(bound)}, missed**` : formatFigure(bound);
  return `| ${what} | ${formatFigure(median)} ${unit} | ${interval} | ${verdict} |`;
}

function writeTable(name, { at, commit, node, machine: computer, peers, rows }) {
  const lines = rows.map(writeRow);
  const versions = Object.entries(peers).map(([peer, version]) => `${peer} ${version}`);
  return `
![${name}](benchmarks/${name}.svg)

<details><summary>All figures</summary>

| measurement | median | 95 % interval | at most |
|---|---|---|---|
${lines.join('\n')}

Measured on ${at.slice(0, 10)} at commit ${commit.slice(0, 8)} with Node ${node.slice(1)} on ${computer}.${versions.length === 0 ? '' : ` Peers: ${versions.join(', ')}.`}

</details>
`;
}

function writeAccepted() {
  const { commit, accepted } = readBase();
  if (accepted.length === 0) return '';
  const lines = accepted.map(({ row, atMost, reason }) => `| ${row} | ${atMost} | ${reason} |`);
  return `
These rows may be slower than commit ${commit.slice(0, 8)}:

| row | at most, of the base | reason |
|---|---|---|
${lines.join('\n')}

`;
}

function listStaleFiles() {
  return createFiles().flatMap(([file, wanted]) =>
    existsSync(file) && readFileSync(file, 'utf8') === wanted ? [] : [relative(root, file)],
  );
}

if (process.argv[1] === import.meta.filename) {
  if (!process.argv.includes('--check')) writePage();
  else if (listStaleFiles().length > 0)
    fail(
      `These files differ from bench/figures.json or bench/base.json: ${listStaleFiles().join(', ')}. Run \`node bench/page.mjs\`.`,
    );
}
