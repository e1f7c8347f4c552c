import type { Usage } from 'toolwright';

/** A score in a result. */
export interface ScoreResult {
  readonly pass?: boolean | undefined;
  /** From 0 to 1. */
  readonly value: number;
  readonly reason?: string | undefined;
  /** True if the scorer threw, took too long, or returned no score. */
  readonly failed?: true | undefined;
}

/** A call in a result; its arguments are JSON, cut if they are long. */
export interface ResultCall {
  readonly name: string;
  readonly arguments: string;
  readonly failed?: true | undefined;
}

/** The result of one run of one task: one line of a file of results. */
export interface TaskResult {
  readonly task: string;
  /** The place of the task among the tasks, from 0. */
  readonly index: number;
  /** The number of the repeat, from 1. */
  readonly epoch: number;
  readonly group?: string | undefined;
  /** True if the run ended well, and no scorer failed or refused it. */
  readonly pass: boolean;
  /** Why the run did not end well: an error, or its timeout. */
  readonly error?: string | undefined;
  /** Scores by the name of the scorer; scorers that do not apply are left out. */
  readonly scores: Readonly<Record<string, ScoreResult>>;
  readonly text?: string | undefined;
  readonly calls?: readonly ResultCall[] | undefined;
  readonly usage?: Usage | undefined;
  readonly cost?: number | undefined;
  readonly turns?: number | undefined;
  readonly durationMs: number;
}

/** The first line of a file of results: the eval that it belongs to. */
export interface ResultsHeader {
  readonly format: 'toolwright/eval-results';
  readonly formatVersion: 1;
  readonly name: string;
  readonly version?: string | undefined;
  /** SHA-256 of the tasks. */
  readonly tasksHash: string;
  readonly tasks: number;
  readonly epochs: number;
  /** The names of the scorers. */
  readonly scorers: readonly string[];
}

/** True for a result that may be different when the task runs again: the run or a scorer has failed, and not the prompt. */
export function hasFailed({ error, scores }: TaskResult): boolean {
  return error !== undefined || Object.values(scores).some(({ failed }) => failed === true);
}
