import type { EvalGate } from '../Eval.js';
import type { ResultsHeader, TaskResult } from '../results/TaskResult.js';
import type { Estimate } from '../statistics/estimate.js';

/** The figures of one scorer, over all runs to which it applies. */
export interface ScorerReport {
  readonly name: string;
  /** The runs to which it applies. */
  readonly runs: number;
  /** The runs without a score, since they or the scorer failed. They count as runs that do not pass, with the value 0. */
  readonly failed: number;
  /** The share of runs that pass; undefined for a scorer without a threshold. */
  readonly share?: Estimate | undefined;
  /** The mean of the values. */
  readonly mean?: Estimate | undefined;
  /** pass@k and pass^k, with several epochs. */
  readonly passes: readonly PassReport[];
}

/** The probabilities that one of k runs of a task passes, and that all k do; means over the tasks with k runs. */
export interface PassReport {
  readonly k: number;
  /** pass@k */
  readonly any: number;
  /** pass^k */
  readonly all: number;
}

/** A gate, and the figure that it bounds. */
export interface GateReport {
  readonly scorer: string;
  readonly kind: keyof EvalGate;
  readonly minimum: number;
  /** Undefined if the scorer applied to no run, which does not meet the gate. */
  readonly actual?: number | undefined;
  readonly met: boolean;
}

/** One task over all its epochs. */
export interface TaskReport {
  readonly id: string;
  readonly group?: string | undefined;
  /** Finished runs. */
  readonly runs: number;
  /** Runs that all scorers pass. */
  readonly passed: number;
  /** Runs that threw or took too long. */
  readonly errors: number;
  readonly durationMs: number;
  /** Figures by scorer. */
  readonly scores: Readonly<Record<string, TaskScores>>;
}

/** The scores of one task by one scorer. */
export interface TaskScores {
  readonly runs: number;
  /** The share of its runs that pass; undefined without a threshold. */
  readonly share?: number | undefined;
  /** The mean of the values. */
  readonly mean: number;
}

/** Sums over all runs, and the number of runs that did not report the figure. */
export interface TotalReport {
  readonly sum: number;
  readonly unknown: number;
}

/** The report of an eval: figures and gates, without times of day, so that the same results give the same report. */
export interface EvalReport {
  readonly format: 'toolwright/eval-report';
  readonly formatVersion: 1;
  readonly name: string;
  readonly version?: string | undefined;
  readonly tasksHash: string;
  readonly epochs: number;
  readonly runs: { readonly expected: number; readonly finished: number; readonly errors: number };
  /** True if every run is finished. */
  readonly complete: boolean;
  /** True if the eval is complete and meets its gates; without gates, if every run passes. */
  readonly passed: boolean;
  readonly gates: readonly GateReport[];
  /** Runs that all scorers pass. */
  readonly overall: ScorerReport;
  readonly scorers: readonly ScorerReport[];
  readonly cost: TotalReport;
  readonly inputTokens: TotalReport;
  readonly outputTokens: TotalReport;
  /** The times of all runs together. */
  readonly durationMs: number;
  readonly tasks: readonly TaskReport[];
  /** The first runs that did not pass, by task and epoch. */
  readonly failures: readonly TaskResult[];
  /** Further runs that did not pass. */
  readonly furtherFailures: number;
}

/** The parts of a header that a report repeats. */
export type ReportHead = Omit<ResultsHeader, 'format' | 'formatVersion'>;
