import type { Awaitable } from '../common/types.js';
import type { RunScope } from './RunScope.js';

/** The final answer of a model. */
export interface FinalAnswer {
  readonly text: string | null;
  /** The parsed answer; undefined if the run declares no output. */
  readonly output?: unknown;
}

/** The verdict on a final answer. If the task is not complete, the model reads the feedback: what is missing, and what to do next. */
export type CompletionVerdict =
  | { readonly complete: true; readonly feedback?: string | undefined }
  | { readonly complete: false; readonly feedback: string };

/**
 * Checks the final answer of a run, and may refuse it a bounded number of times (docs/contract.md, 10).
 *
 * @example
 * const answersInGerman: CompletionChecker = {
 *   name: 'german',
 *   check: ({ text }) => (isGerman(text) ? { complete: true } : { complete: false, feedback: 'Answer in German.' }),
 * };
 */
export interface CompletionChecker {
  /** Name for logs. */
  readonly name: string;
  /**
   * Checks an answer, when the model answers without calling tools. `scope` gives read-only access to session and
   * resources. If the checker throws or takes longer than 60 seconds, the answer is refused with a neutral message, and
   * the fault is logged.
   */
  check(answer: FinalAnswer, scope: RunScope): Awaitable<CompletionVerdict>;
}
