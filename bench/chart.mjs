// One chart of a benchmark as SVG: horizontal bars with their intervals, Toolwright's in another colour, bounds as ticks.
// Readable on light and on dark pages.
const width = 860;
const labels = 400;
const values = 120;
const line = 20;
const top = 40;
const space = width - labels - values;
const style = `text { font: 12px system-ui, sans-serif; fill: #333 } .title { font-weight: 600; font-size: 14px } .label { text-anchor: end }
.bar { fill: #9aa5b1 } .ours { fill: #2f6fde } .interval { stroke: #333; stroke-width: 1.5 } .bound { stroke: #c0392b; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .bar { fill: #66717d } .ours { fill: #6ea0ff } .interval { stroke: #ddd }
.bound { stroke: #ff7b6b } }`;

/** Draws the rows that are comparable with the first one: rows of the same unit, and ratios to the same base. */
export function drawChart(title, rows) {
  const { charted, unit, base } = selectComparable(rows);
  const about = `${title} (${base === undefined ? unit : `ratio to ${base}`}`;
  const scale = computeScale(charted);
  const height = top + charted.length * line + 14;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(about)})">
<style>${style}</style>
<text class="title" x="8" y="22">${escaped(about)}${scale.isLog ? ', logarithmic' : ''})</text>
${drawBars(charted, base, scale)}
</svg>
`;
}

function selectComparable(rows) {
  const key = keyOf(rows[0]);
  const [unit, base] = JSON.parse(key);
  return { charted: rows.filter((row) => keyOf(row) === key), unit, base: base ?? undefined };
}

const keyOf = ({ unit, what }) => JSON.stringify([unit, unit === 'x' ? what.split(' / ').at(-1) : undefined]);

/** Computes the scale of the bars. A logarithmic scale begins a bit below the least value, which has the shortest bar. */
function computeScale(rows) {
  const most = Math.max(...rows.map(({ high, bound }) => Math.max(high, bound ?? 0)));
  const least = Math.min(...rows.map(({ low, median }) => (low > 0 ? low : median)));
  const isLog = least > 0 && most / least > 20;
  const from = Math.log(least / 1.5);
  const at = (value) => {
    const part = isLog ? (Math.log(Math.max(value, least / 1.5)) - from) / (Math.log(most) - from) : value / most;
    return labels + Math.max(part, 0) * space;
  };
  return { isLog, at };
}

/** Draws the labels and figures of all bars, and one path for all marks of a kind: the pictures are part of every installation. */
function drawBars(rows, base, { at }) {
  const x = (value) => at(value).toFixed(1);
  const paths = { bar: '', 'bar ours': '', interval: '', bound: '' };
  const texts = rows.map(({ what, median, low, high, bound }, index) => {
    const y = top + index * line;
    const isOurs = bound !== undefined || what.includes('toolwright');
    paths[isOurs ? 'bar ours' : 'bar'] += `M${labels} ${y}H${x(median)}v14H${labels}z`;
    if (low !== high) paths.interval += `M${x(low)} ${y + 7}H${x(high)}`;
    if (bound !== undefined) paths.bound += `M${x(bound)} ${y - 2}v18`;
    const label = base === undefined ? what : what.slice(0, -` / ${base}`.length);
    const end = Math.round(Math.max(at(high), at(bound ?? 0)) + 6);
    return `<text class="label" x="${labels - 8}" y="${y + 11}">${escaped(label)}</text>
<text x="${end}" y="${y + 11}">${formatFigure(median)}</text>`;
  });
  const marks = Object.entries(paths).flatMap(([name, d]) => (d === '' ? [] : [`<path class="${name}" d="${d}"/>`]));
  return [...marks, ...texts].join('\n');
}

/** Formats a figure with its significant digits. */
export function formatFigure(value) {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) < 0.1 ? 4 : Math.abs(value) < 10 ? 2 : 1);
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
