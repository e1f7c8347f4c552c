import { type EvalGate, OVERALL } from '../Eval.js';
import { MAX_PASS_K, MAX_SHOWN_FAILURES } from '../limits.js';
import { hasFailed, type TaskResult } from '../results/TaskResult.js';
import { type ClusterSums, estimateMean, estimateShare } from '../statistics/estimate.js';
import { computePassAllK, computePassAtK } from '../statistics/passAtK.js';
import type { EvalReport, GateReport, ReportHead, ScorerReport, TaskReport } from './EvalReport.js';

/** Sums over the runs of one task by one scorer. */
interface Tally {
  /** Runs that it scored. */
  runs: number;
  /** Runs that it could not score. */
  failed: number;
  /** Runs with a threshold. */
  judged: number;
  passed: number;
  sum: number;
  sumOfSquares: number;
}

/** Returns the sums of a task by one scorer. Computed when needed, because the sums of a hundred thousand tasks take much memory. */
type Counter = (task: TaskTally) => Tally;

/** Sums of one task. Texts are not kept, so that memory depends on the number of tasks, and not on their answers. */
interface TaskTally {
  readonly id: string;
  readonly group: string | undefined;
  errors: number;
  /** Runs with an error, and runs that a scorer could not score. */
  unscored: number;
  durationMs: number;
  readonly overall: Tally;
  /** In the order of the scorers. */
  readonly scores: readonly Tally[];
}

interface Total {
  sum: number;
  unknown: number;
}

/** Sums the results as they come, in any order. */
export class ReportBuilder {
  readonly #head: ReportHead;
  readonly #gates: Readonly<Record<string, EvalGate>>;
  readonly #tasks: (TaskTally | undefined)[] = [];
  readonly #totals = { cost: createTotal(), inputTokens: createTotal(), outputTokens: createTotal() };
  #failures: TaskResult[] = [];
  #failureCount = 0;
  #durationMs = 0;

  constructor(head: ReportHead, gates: Readonly<Record<string, EvalGate>> = {}) {
    this.#head = head;
    this.#gates = gates;
  }

  /** Adds a result. */
  add(result: TaskResult): void {
    const { task: id, index, group, error, pass, scores } = result;
    const { scorers } = this.#head;
    const task = (this.#tasks[index] ??= {
      id,
      group,
      errors: 0,
      unscored: 0,
      durationMs: 0,
      overall: createTally(),
      scores: scorers.map(createTally),
    });
    if (error !== undefined) task.errors++;
    task.durationMs += result.durationMs;
    addScore(task.overall, { pass, value: Number(pass) });
    if (hasFailed(result)) task.unscored++;
    scorers.forEach((name, at) => {
      const tally = task.scores[at];
      if (tally !== undefined && Object.hasOwn(scores, name)) addScore(tally, scores[name]);
    });
    addTo(this.#totals.cost, result.cost);
    addTo(this.#totals.inputTokens, result.usage?.inputTokens);
    addTo(this.#totals.outputTokens, result.usage?.outputTokens);
    this.#durationMs += result.durationMs;
    if (!pass) this.#keepFailure(result);
  }

  build(): EvalReport {
    const { name, version, tasksHash, epochs, scorers: names } = this.#head;
    const tallies = Object.values(this.#tasks).filter((task) => task !== undefined);
    const unscored = tallies.reduce((sum, task) => sum + task.unscored, 0);
    const overall = { ...reportScorer(OVERALL, tallies, epochs, (task) => task.overall), failed: unscored };
    const counters = names.map((name, at) => [name, createCounter(tallies, at)] as const);
    const scorers = counters.map(([scorer, count]) => reportScorer(scorer, tallies, epochs, count));
    const gates = this.#reportGates([overall, ...scorers]);
    const expected = this.#head.tasks * epochs;
    const complete = overall.runs === expected;
    const errors = tallies.reduce((sum, task) => sum + task.errors, 0);
    const isGood = gates.length > 0 ? gates.every(({ met }) => met) : overall.share?.value === 1;
    const failures = [...this.#failures].sort(compareRuns).slice(0, MAX_SHOWN_FAILURES);
    return {
      format: 'toolwright/eval-report',
      formatVersion: 1,
      name,
      version,
      tasksHash,
      epochs,
      runs: { expected, finished: overall.runs, errors },
      complete,
      passed: complete && isGood,
      gates,
      overall,
      scorers,
      ...this.#totals,
      durationMs: this.#durationMs,
      tasks: tallies.map((task) => reportTask(task, counters)),
      failures,
      furtherFailures: this.#failureCount - failures.length,
    };
  }

  #reportGates(scorers: readonly ScorerReport[]): readonly GateReport[] {
    return Object.entries(this.#gates).flatMap(([scorer, gate]) => {
      const found = scorers.find(({ name }) => name === scorer);
      const actuals = { share: found?.share?.value, mean: found?.mean?.value, lower: found?.share?.lower };
      return (['share', 'mean', 'lower'] as const).flatMap((kind) => {
        const minimum = gate[kind];
        if (minimum === undefined) return [];
        const actual = actuals[kind];
        return [{ scorer, kind, minimum, actual, met: actual !== undefined && actual >= minimum }];
      });
    });
  }

  /** Keeps the failures that come first by task and epoch, whatever the order in which they ended. */
  #keepFailure(result: TaskResult): void {
    this.#failureCount++;
    this.#failures.push(result);
    if (this.#failures.length < 2 * MAX_SHOWN_FAILURES) return;
    this.#failures = this.#failures.sort(compareRuns).slice(0, MAX_SHOWN_FAILURES);
  }
}

function createTally(): Tally {
  return { runs: 0, failed: 0, judged: 0, passed: 0, sum: 0, sumOfSquares: 0 };
}

function createTotal(): Total {
  return { sum: 0, unknown: 0 };
}

function addScore(tally: Tally, score: TaskResult['scores'][string] | undefined): void {
  if (score === undefined) return;
  if (score.failed === true) {
    tally.failed++;
    return;
  }
  tally.runs++;
  if (score.pass !== undefined) tally.judged++;
  if (score.pass === true) tally.passed++;
  tally.sum += score.value;
  tally.sumOfSquares += score.value ** 2;
}

/**
 * Counts runs without a score as runs that do not pass, with the value 0: otherwise a prompt that hangs would meet every gate. A scorer that
 * did not apply to the other runs of a task would not have applied to these either.
 */
function createCounter(tasks: readonly TaskTally[], at: number): Counter {
  const tallyOf = (task: TaskTally): Tally => task.scores[at] ?? createTally();
  const hasThreshold =
    tasks.some((task) => tallyOf(task).judged > 0) || tasks.every((task) => tallyOf(task).runs === 0);
  return (task) => {
    const tally = tallyOf(task);
    const applies = tally.runs + tally.failed > 0 || task.errors === task.overall.runs;
    const failed = tally.failed + (applies ? task.errors : 0);
    const judged = hasThreshold ? tally.judged + failed : 0;
    return { ...tally, runs: tally.runs + failed, failed, judged };
  };
}

function addTo(total: Total, figure: number | undefined): void {
  if (figure === undefined) total.unknown++;
  else total.sum += figure;
}

function compareRuns(one: TaskResult, other: TaskResult): number {
  return one.index - other.index || one.epoch - other.epoch;
}

function reportScorer(name: string, tasks: readonly TaskTally[], epochs: number, count: Counter): ScorerReport {
  const [shares, means] = [new Clusters(), new Clusters()];
  let [runs, failed] = [0, 0];
  for (const task of tasks) {
    const { judged, passed, sum, sumOfSquares, ...each } = count(task);
    if (each.runs === 0) continue;
    runs += each.runs;
    failed += each.failed;
    if (judged > 0) shares.add(task.group, { count: judged, sum: passed, sumOfSquares: passed });
    means.add(task.group, { count: each.runs, sum, sumOfSquares });
  }
  const share = estimateShare(shares.list());
  const passes = share === undefined || epochs === 1 ? [] : reportPasses(tasks, epochs, count);
  return { name, runs, failed, share, mean: estimateMean(means.list()), passes };
}

/** The sums of each cluster: a group, or a task without a group. */
class Clusters {
  readonly #single: ClusterSums[] = [];
  readonly #groups = new Map<string, ClusterSums>();

  add(group: string | undefined, added: ClusterSums): void {
    if (group === undefined) {
      this.#single.push(added);
      return;
    }
    const { count, sum, sumOfSquares } = this.#groups.get(group) ?? { count: 0, sum: 0, sumOfSquares: 0 };
    this.#groups.set(group, {
      count: count + added.count,
      sum: sum + added.sum,
      sumOfSquares: sumOfSquares + added.sumOfSquares,
    });
  }

  list(): readonly ClusterSums[] {
    return this.#groups.size === 0 ? this.#single : [...this.#single, ...this.#groups.values()];
  }
}

function reportPasses(tasks: readonly TaskTally[], epochs: number, count: Counter): ScorerReport['passes'] {
  const sizes = Array.from({ length: Math.min(epochs, MAX_PASS_K) }, (_, index) => index + 1);
  return sizes.flatMap((k) => {
    let [enough, any, all] = [0, 0, 0];
    for (const task of tasks) {
      const { judged, passed } = count(task);
      if (judged < k) continue;
      enough++;
      any += computePassAtK(judged, passed, k);
      all += computePassAllK(judged, passed, k);
    }
    return enough === 0 ? [] : [{ k, any: any / enough, all: all / enough }];
  });
}

function reportTask(task: TaskTally, counters: readonly (readonly [name: string, count: Counter])[]): TaskReport {
  const { id, group, errors, durationMs, overall } = task;
  const scores = counters.flatMap(([name, count]) => {
    const { runs, judged, passed, sum } = count(task);
    if (runs === 0) return [];
    return [[name, { runs, share: judged === 0 ? undefined : passed / judged, mean: sum / runs }] as const];
  });
  const { runs, passed } = overall;
  return { id, group, runs, passed, errors, durationMs, scores: Object.fromEntries(scores) };
}
