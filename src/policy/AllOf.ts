import type { CompletionChecker, CompletionVerdict, FinalAnswer } from '../interface/CompletionChecker.js';
import type { RunScope } from '../interface/RunScope.js';
import { askChecker } from './askChecker.js';

/**
 * Accepts an answer if all of its checkers do. Returns the first refusal without asking the remaining checkers. Without any
 * checkers, the task is complete (docs/contract.md, 10).
 */
export class AllOf implements CompletionChecker {
  readonly name = 'all_of';
  readonly checkers: readonly CompletionChecker[];

  constructor(...checkers: readonly CompletionChecker[]) {
    this.checkers = Object.freeze(checkers);
  }

  async check(answer: FinalAnswer, scope: RunScope): Promise<CompletionVerdict> {
    for (const checker of this.checkers) {
      const verdict = await askChecker(checker, answer, scope);
      if (!verdict.complete) return verdict;
    }
    return { complete: true };
  }
}
