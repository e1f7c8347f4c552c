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

/** The sums of one task with the runs that are lost: runs with an error, and runs that the scorer could not score. */
interface Counts extends Tally {
  readonly task: TaskTally;
}

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
    const allRuns = tallies.map((task) => ({ ...task.overall, task }));
    const overall = { ...reportScorer(OVERALL, allRuns, epochs), failed: unscored };
    const counts = names.map((_name, at) => countRuns(tallies, (task) => task.scores[at]));
    const scorers = names.map((scorer, at) => reportScorer(scorer, counts[at] ?? [], epochs));
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
      tasks: tallies.map((task, index) =>
        reportTask(
          task,
          names,
          counts.map((each) => each[index]),
        ),
      ),
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
function countRuns(tasks: readonly TaskTally[], tallyOf: (task: TaskTally) => Tally | undefined): readonly Counts[] {
  const tallies = tasks.map((task) => [task, tallyOf(task) ?? createTally()] as const);
  const hasThreshold = tallies.some(([, { judged }]) => judged > 0) || tallies.every(([, { runs }]) => runs === 0);
  return tallies.map(([task, tally]) => {
    const applies = tally.runs + tally.failed > 0 || task.errors === task.overall.runs;
    const failed = tally.failed + (applies ? task.errors : 0);
    const judged = hasThreshold ? tally.judged + failed : 0;
    return { ...tally, task, runs: tally.runs + failed, failed, judged };
  });
}

function addTo(total: Total, figure: number | undefined): void {
  if (figure === undefined) total.unknown++;
  else total.sum += figure;
}

function compareRuns(one: TaskResult, other: TaskResult): number {
  return one.index - other.index || one.epoch - other.epoch;
}

function reportScorer(name: string, counts: readonly Counts[], epochs: number): ScorerReport {
  const shares = new Map<string, ClusterSums>();
  const means = new Map<string, ClusterSums>();
  let [runs, failed] = [0, 0];
  for (const { task, judged, passed, sum, sumOfSquares, ...each } of counts) {
    if (each.runs === 0) continue;
    runs += each.runs;
    failed += each.failed;
    const cluster = task.group === undefined ? `task ${task.id}` : `group ${task.group}`;
    if (judged > 0) addCluster(shares, cluster, { count: judged, sum: passed, sumOfSquares: passed });
    addCluster(means, cluster, { count: each.runs, sum, sumOfSquares });
  }
  const share = estimateShare([...shares.values()]);
  const passes = share === undefined || epochs === 1 ? [] : reportPasses(counts, epochs);
  return { name, runs, failed, share, mean: estimateMean([...means.values()]), passes };
}

function addCluster(clusters: Map<string, ClusterSums>, name: string, added: ClusterSums): void {
  const { count, sum, sumOfSquares } = clusters.get(name) ?? { count: 0, sum: 0, sumOfSquares: 0 };
  clusters.set(name, {
    count: count + added.count,
    sum: sum + added.sum,
    sumOfSquares: sumOfSquares + added.sumOfSquares,
  });
}

function reportPasses(counts: readonly Counts[], epochs: number): ScorerReport['passes'] {
  const sizes = Array.from({ length: Math.min(epochs, MAX_PASS_K) }, (_, index) => index + 1);
  return sizes.flatMap((k) => {
    const enough = counts.filter(({ judged }) => judged >= k);
    if (enough.length === 0) return [];
    const meanOf = (compute: typeof computePassAtK): number =>
      enough.reduce((sum, { judged, passed }) => sum + compute(judged, passed, k), 0) / enough.length;
    return [{ k, any: meanOf(computePassAtK), all: meanOf(computePassAllK) }];
  });
}

function reportTask(task: TaskTally, names: readonly string[], counts: readonly (Counts | undefined)[]): TaskReport {
  const { id, group, errors, durationMs, overall } = task;
  const scores = names.flatMap((name, at) => {
    const { runs = 0, judged = 0, passed = 0, sum = 0 } = counts[at] ?? {};
    if (runs === 0) return [];
    return [[name, { runs, share: judged === 0 ? undefined : passed / judged, mean: sum / runs }] as const];
  });
  const { runs, passed } = overall;
  return { id, group, runs, passed, errors, durationMs, scores: Object.fromEntries(scores) };
}
