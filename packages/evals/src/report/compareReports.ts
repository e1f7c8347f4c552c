import { EvalError } from '../EvalError.js';
import { type ClusterSums, estimateDifference } from '../statistics/estimate.js';
import { testMcNemar, testSignFlips } from '../statistics/significance.js';
import type { EvalReport, ScorerReport, TaskReport } from './EvalReport.js';
import { formatShare } from './writeSummary.js';
import { OVERALL } from '../Eval.js';
import { escapeBlock, joinBounded } from 'toolwright/internal/light';

/** The difference of two runs of an eval by one scorer. */
export interface ScorerComparison {
  readonly name: string;
  /** The share of runs that pass, or the mean for a scorer without a threshold: means over the tasks. */
  readonly baseline: number;
  readonly candidate: number;
  readonly difference: number;
  /** The interval of 95 % of the difference. */
  readonly lower: number;
  readonly upper: number;
  /** The probability of such a difference if nothing has changed. */
  readonly pValue: number;
  /** McNemar's exact test for tasks that ran once each; a permutation test of signs for others. */
  readonly test: 'mcnemar' | 'sign-flip';
  /** The ids of the tasks that became better. */
  readonly improved: readonly string[];
  /** The ids of the tasks that became worse. */
  readonly regressed: readonly string[];
  /** The tasks that the scorer scored in both. */
  readonly tasks: number;
}

/** The comparison of two reports of one eval. */
export interface EvalComparison {
  readonly format: 'toolwright/eval-comparison';
  readonly formatVersion: 1;
  readonly name: string;
  readonly versions: readonly [baseline: string | undefined, candidate: string | undefined];
  readonly overall: ScorerComparison;
  /** The scorers that both reports have. */
  readonly scorers: readonly ScorerComparison[];
}

/**
 * Compares two reports of one eval, task by task.
 *
 * @throws EvalError E995 for reports of other tasks, of other evals, or of unfinished ones
 */
export function compareReports(baseline: EvalReport, candidate: EvalReport): EvalComparison {
  requireComparable(baseline, candidate);
  const others = new Map(candidate.tasks.map((task) => [task.id, task]));
  const pairs = baseline.tasks.flatMap((task): readonly (readonly [TaskReport, TaskReport])[] => {
    const other = others.get(task.id);
    return other === undefined ? [] : [[task, other]];
  });
  const isOnce = baseline.epochs === 1 && candidate.epochs === 1;
  const compare = (name: string, figureOf: (task: TaskReport) => number | undefined, isShare: boolean) =>
    compareScorer(name, listPairs(pairs, figureOf), isOnce && isShare);
  const hasShare = (reports: readonly ScorerReport[], name: string): boolean =>
    reports.find((scorer) => scorer.name === name)?.share !== undefined;
  const names = baseline.scorers
    .map(({ name }) => name)
    .filter((name) => candidate.scorers.some((each) => each.name === name));
  return {
    format: 'toolwright/eval-comparison',
    formatVersion: 1,
    name: baseline.name,
    versions: [baseline.version, candidate.version],
    overall: compare(OVERALL, ({ passed, runs }) => passed / runs, true),
    scorers: names.map((name) => {
      const isShare = hasShare(baseline.scorers, name) && hasShare(candidate.scorers, name);
      return compare(name, ({ scores }) => (isShare ? scores[name]?.share : scores[name]?.mean), isShare);
    }),
  };
}

/** Writes a comparison in a few lines for a terminal. */
export function writeComparison({ name, overall, scorers }: EvalComparison): string {
  const lines = [overall, ...scorers].flatMap(({ improved, regressed, ...scorer }) => [
    `  ${scorer.name}: ${formatShare(scorer.baseline)} → ${formatShare(scorer.candidate)}, ${formatSigned(scorer.difference)} ` +
      `[${formatSigned(scorer.lower)}, ${formatSigned(scorer.upper)}], p = ${scorer.pValue.toFixed(4)} (${scorer.test})`,
    ...(regressed.length === 0 ? [] : [`    worse: ${joinBounded(regressed)}`]),
    ...(improved.length === 0 ? [] : [`    better: ${joinBounded(improved)}`]),
  ]);
  return escapeBlock([name, ...lines].join('\n'));
}

/** The figures of one task in both reports. */
interface Pair {
  readonly id: string;
  readonly cluster: string;
  readonly before: number;
  readonly after: number;
}

function listPairs(
  pairs: readonly (readonly [TaskReport, TaskReport])[],
  figureOf: (task: TaskReport) => number | undefined,
): readonly Pair[] {
  return pairs.flatMap(([one, other]) => {
    const [before, after] = [figureOf(one), figureOf(other)];
    if (before === undefined || after === undefined) return [];
    const cluster = one.group === undefined ? `task ${one.id}` : `group ${one.group}`;
    return [{ id: one.id, cluster, before, after }];
  });
}

function compareScorer(name: string, pairs: readonly Pair[], isOnce: boolean): ScorerComparison {
  const clusters = new Map<string, ClusterSums>();
  for (const { cluster, before, after } of pairs) {
    const { count, sum, sumOfSquares } = clusters.get(cluster) ?? { count: 0, sum: 0, sumOfSquares: 0 };
    const difference = after - before;
    clusters.set(cluster, { count: count + 1, sum: sum + difference, sumOfSquares: sumOfSquares + difference ** 2 });
  }
  const improved = pairs.filter(({ before, after }) => after > before).map(({ id }) => id);
  const regressed = pairs.filter(({ before, after }) => after < before).map(({ id }) => id);
  const sums = [...clusters.values()];
  const isPaired = isOnce && clusters.size === pairs.length;
  const pValue = isPaired ? testMcNemar(regressed.length, improved.length) : testSignFlips(sums.map(({ sum }) => sum));
  const meanOf = (figureOf: (pair: Pair) => number): number =>
    pairs.length === 0 ? 0 : pairs.reduce((sum, pair) => sum + figureOf(pair), 0) / pairs.length;
  const { value: difference, lower, upper } = estimateDifference(sums);
  return {
    name,
    baseline: meanOf(({ before }) => before),
    candidate: meanOf(({ after }) => after),
    difference,
    lower,
    upper,
    pValue,
    test: isPaired ? 'mcnemar' : 'sign-flip',
    improved,
    regressed,
    tasks: pairs.length,
  };
}

/** @throws EvalError E995 */
function requireComparable(baseline: EvalReport, candidate: EvalReport): void {
  const fail = (problem: string, remedy?: string): never => {
    throw new EvalError(problem, { code: 'E995', place: 'compareReports', remedy });
  };
  if (baseline.name !== candidate.name)
    fail(`the baseline is of the eval "${baseline.name}", the other report of "${candidate.name}"`);
  for (const [label, { complete, runs }] of Object.entries({ baseline, candidate }))
    if (!complete) {
      const remedy = 'Run the eval again with its file of results: it goes on where it ended.';
      fail(`the ${label} has ${String(runs.finished)} of ${String(runs.expected)} runs`, remedy);
    }
  if (baseline.tasksHash === candidate.tasksHash) return;
  const [ids, others] = [baseline, candidate].map(({ tasks }) => new Set(tasks.map(({ id }) => id)));
  const gone = [...(ids ?? [])].filter((id) => others?.has(id) === false);
  const added = [...(others ?? [])].filter((id) => ids?.has(id) === false);
  const said = [
    ...(gone.length === 0 ? [] : [`only in the baseline: ${joinBounded(gone, 5)}`]),
    ...(added.length === 0 ? [] : [`only in the other: ${joinBounded(added, 5)}`]),
  ];
  fail(`their tasks are different${said.length === 0 ? ', with the same ids' : ` (${said.join('; ')})`}`);
}

function formatSigned(value: number): string {
  return `${value < 0 ? '−' : '+'}${formatShare(Math.abs(value))}`;
}
