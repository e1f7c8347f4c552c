import { escapeBlock } from 'toolwright/internal/light';
import type { EvalReport, GateReport, ScorerReport } from './EvalReport.js';
import type { Estimate } from '../statistics/estimate.js';

/** Writes a report in a few lines for a terminal. */
export function writeSummary(report: EvalReport): string {
  const { name, runs, tasks, overall, scorers, gates, complete, passed, cost } = report;
  const size = `${String(tasks.length)} tasks × ${String(report.epochs)}`;
  const done = complete ? '' : `, only ${String(runs.finished)} of ${String(runs.expected)} runs finished`;
  const errors = runs.errors === 0 ? '' : `, ${String(runs.errors)} errors`;
  const spent = cost.unknown === 0 && runs.finished > 0 ? `, cost ${formatNumber(cost.sum)}` : '';
  const rows = [overall, ...scorers].map(formatScorer);
  const width = Math.max(...rows.map(([first]) => first.length));
  return escapeBlock(
    [
      `${name}: ${size}${done}${errors}${spent}`,
      ...rows.map(([first, rest]) => `  ${first.padEnd(width)}  ${rest}`),
      ...gates.map((gate) => `  ${describeGate(gate)}`),
      passed ? 'passed' : 'failed',
    ].join('\n'),
  );
}

/** Describes a gate and its figure. */
export function describeGate({ scorer, kind, minimum, actual, met }: GateReport): string {
  const found = actual === undefined ? 'no run' : formatShare(actual);
  return `gate ${scorer}: ${kind} ${found}, at least ${formatShare(minimum)}: ${met ? 'met' : 'not met'}`;
}

function formatScorer({ name, failed, runs, share, mean, passes }: ScorerReport): readonly [string, string] {
  if (mean === undefined) return [name, 'no run'];
  const last = passes.at(-1);
  const repeats =
    last === undefined
      ? ''
      : `, pass@${String(last.k)} ${formatShare(last.any)}, pass^${String(last.k)} ${formatShare(last.all)}`;
  const unscored = failed === 0 ? '' : `, ${String(failed)} of ${String(runs)} not scored`;
  const figure = share === undefined ? `mean ${formatEstimate(mean)}` : formatEstimate(share);
  return [name, `${figure}${repeats}${unscored}`];
}

/** Formats an estimate with its interval, such as `66.7 % [41.7, 84.8]`. */
export function formatEstimate({ value, lower, upper }: Estimate): string {
  return `${formatShare(value)} [${(100 * lower).toFixed(1)}, ${(100 * upper).toFixed(1)}]`;
}

/** Formats a share in percent. */
export function formatShare(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Formats a number with at most four significant decimals. */
export function formatNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
