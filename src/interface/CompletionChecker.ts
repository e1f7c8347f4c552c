import type { Awaitable } from '../common/types.js';
import type { RunScope } from './RunScope.js';

/** What a model gave as its final answer. */
export interface FinalAnswer {
  readonly text: string | null;
  /** What it was read into; undefined when any text is an answer. */
  readonly output?: unknown;
}

/** Whether the task is done; the model reads the feedback when it is not: what is missing, and what to do about it. */
export type CompletionVerdict =
  | { readonly complete: true; readonly feedback?: string | undefined }
  | { readonly complete: false; readonly feedback: string };

/**
 * May refuse the final answer of a run, a bounded number of times (docs/contract.md, 10).
 *
 * @example
 * const answersInGerman: CompletionChecker = {
 *   name: 'german',
 *   check: ({ text }) => (isGerman(text) ? { complete: true } : { complete: false, feedback: 'Answer in German.' }),
 * };
 */
export interface CompletionChecker {
  /** For logs. */
  readonly name: string;
  /**
   * Asked when the model answers without calling tools: `scope` shows session and resources, and refuses to change them. One
   * that throws, or takes longer than 60 seconds, refuses in neutral words and is logged.
   */
  check(answer: FinalAnswer, scope: RunScope): Awaitable<CompletionVerdict>;
}
