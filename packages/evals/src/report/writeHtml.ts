import { escapeHtml } from 'toolwright/internal/light';
import { MAX_LISTED_TASKS } from '../limits.js';
import type { TaskResult } from '../results/TaskResult.js';
import type { Estimate } from '../statistics/estimate.js';
import { describeFailure } from './describeFailure.js';
import type { EvalReport, ScorerReport, TaskReport, TotalReport } from './EvalReport.js';
import { describeGate, formatEstimate, formatNumber, formatShare } from './writeSummary.js';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #c62828; --soft: #8882; }
@media (prefers-color-scheme: dark) { :root { --good: #4cc26a; --bad: #ff7b72; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } .figure { white-space: nowrap; } .good { color: var(--good); } .bad { color: var(--bad); } .quiet { opacity: .75; }
.bar { position: relative; height: .8rem; min-width: 10rem; background: var(--soft); border-radius: .2rem; }
.bar i { position: absolute; top: 0; bottom: 0; background: #5b8def88; border-radius: .2rem; min-width: 2px; }
.bar b { position: absolute; top: -.1rem; bottom: -.1rem; width: 3px; margin-left: -1px; background: currentColor; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .4rem .8rem; } summary { cursor: pointer; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); padding: .6rem; border-radius: .3rem; margin: .4rem 0; }
`;

/**
 * Writes a report as one HTML file without scripts and without requests: its policy refuses both, whatever an answer of a model holds.
 */
export function writeHtml(report: EvalReport): string {
  const { name, version, passed, complete, runs, overall, scorers, epochs, tasks } = report;
  const verdict = passed ? '<span class="good">✔ passed</span>' : '<span class="bad">✘ failed</span>';
  const size = `${String(tasks.length)} tasks, ${String(epochs)} ${epochs === 1 ? 'run' : 'runs'} each`;
  const open = complete ? '' : `, <b>only ${String(runs.finished)} of ${String(runs.expected)} runs finished</b>`;
  const errors = runs.errors === 0 ? '' : `, <span class="bad">${String(runs.errors)} errors</span>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${escapeHtml(name)}: ${passed ? 'passed' : 'failed'}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(name)} ${verdict}</h1>
<p>${size}${open}${errors}${version === undefined ? '' : `, version ${escapeHtml(version)}`}</p>
<p class="quiet">${writeTotals(report)}</p>
${writeGates(report)}
<h2>Scores</h2>
<div class="scroll"><table>
<thead><tr><th scope="col">scorer</th><th scope="col">passed, or mean</th><th scope="col">95 % interval</th>${
    epochs === 1 ? '' : `<th scope="col">pass@${String(epochs)}</th><th scope="col">pass^${String(epochs)}</th>`
  }<th scope="col" class="number">runs</th></tr></thead>
<tbody>
${[overall, ...scorers].map((scorer) => writeScorer(scorer, epochs)).join('\n')}
</tbody></table></div>
${writeFailures(report)}
${writeTasks(report)}
</main>
</body>
</html>
`;
}

function writeTotals({ cost, inputTokens, outputTokens, durationMs, tasksHash }: EvalReport): string {
  const total = (label: string, { sum, unknown }: TotalReport): string =>
    `${label} ${unknown === 0 ? formatNumber(sum) : `${formatNumber(sum)} and ${String(unknown)} runs that did not report it`}`;
  const time = `${(durationMs / 1_000).toFixed(1)} s of runs`;
  const hash = `tasks ${escapeHtml(tasksHash.slice(0, 12))}`;
  return [
    total('cost', cost),
    total('input tokens', inputTokens),
    total('output tokens', outputTokens),
    time,
    hash,
  ].join(' · ');
}

function writeGates({ gates }: EvalReport): string {
  if (gates.length === 0) return '';
  const items = gates.map((gate) => {
    return `<li class="${gate.met ? 'good' : 'bad'}">${gate.met ? '✔' : '✘'} ${escapeHtml(describeGate(gate))}</li>`;
  });
  return `<h2>Gates</h2>\n<ul>${items.join('')}</ul>`;
}

function writeScorer({ name, runs, failed, share, mean, passes }: ScorerReport, epochs: number): string {
  const estimate = share ?? mean;
  const last = passes.at(-1);
  const repeats =
    epochs === 1
      ? ''
      : [last?.any, last?.all].map((each) => `<td>${each === undefined ? '' : formatShare(each)}</td>`).join('');
  const counted =
    failed === 0 ? String(runs) : `${String(runs)}, <span class="bad">${String(failed)} not scored</span>`;
  const figure = estimate === undefined ? 'no run' : formatEstimate(estimate);
  return `<tr><th scope="row">${escapeHtml(name)}</th><td class="figure">${figure}</td><td>${
    estimate === undefined ? '' : writeBar(estimate)
  }</td>${repeats}<td class="number">${counted}</td></tr>`;
}

function writeBar({ value, lower, upper }: Estimate): string {
  const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
  const range = `<i style="left:${percent(lower)};width:${percent(upper - lower)}"></i>`;
  return `<div class="bar" aria-hidden="true">${range}<b style="left:${percent(value)}"></b></div>`;
}

function writeFailures({ failures, furtherFailures }: EvalReport): string {
  if (failures.length === 0) return '';
  const more =
    furtherFailures === 0 ? '' : `<p class="quiet">${String(furtherFailures)} further runs are in the results.</p>`;
  return `<h2>Runs that did not pass</h2>\n${failures.map(writeFailure).join('\n')}\n${more}`;
}

function writeFailure(failure: TaskResult): string {
  const { task, epoch, text, calls = [] } = failure;
  const made = calls.map(
    ({ name, arguments: given, failed }) => `${name}(${given})${failed === true ? ' failed' : ''}`,
  );
  return `<details><summary>${escapeHtml(task)} <span class="quiet">run ${String(epoch)}</span></summary>
<pre>${escapeHtml(describeFailure(failure))}</pre>${
    made.length === 0 ? '' : `\n<p>Calls</p>\n<pre>${escapeHtml(made.join('\n'))}</pre>`
  }${text === undefined ? '' : `\n<p>Answer</p>\n<pre>${escapeHtml(text)}</pre>`}
</details>`;
}

function writeTasks({ tasks }: EvalReport): string {
  const shown = tasks.slice(0, MAX_LISTED_TASKS);
  const more =
    tasks.length > shown.length
      ? `\n<p class="quiet">${String(tasks.length - shown.length)} further tasks are in the JSON report.</p>`
      : '';
  return `<h2>Tasks</h2>
<div class="scroll"><table>
<thead><tr><th scope="col">task</th><th scope="col">group</th><th scope="col" class="number">passed</th><th scope="col" class="number">errors</th></tr></thead>
<tbody>
${shown.map(writeTask).join('\n')}
</tbody></table></div>${more}`;
}

function writeTask({ id, group = '', runs, passed, errors }: TaskReport): string {
  const state = passed === runs ? 'good' : 'bad';
  return `<tr><th scope="row">${escapeHtml(id)}</th><td>${escapeHtml(group)}</td><td class="number ${state}">${String(passed)} of ${String(runs)}</td><td class="number">${String(errors)}</td></tr>`;
}
