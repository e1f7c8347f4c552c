import type { CompletionChecker, CompletionVerdict, FinalAnswer } from '../interface/CompletionChecker.js';
import type { RunScope } from '../interface/RunScope.js';
import { askChecker } from './askChecker.js';

/**
 * Accepts an answer if one of its checkers does, without asking the remaining ones. If all refuse, the model gets the feedback of
 * each. Without any checkers, the task is complete (docs/contract.md, 10).
 */
export class AnyOf implements CompletionChecker {
  readonly name = 'any_of';
  readonly checkers: readonly CompletionChecker[];

  constructor(...checkers: readonly CompletionChecker[]) {
    this.checkers = Object.freeze(checkers);
  }

  async check(answer: FinalAnswer, scope: RunScope): Promise<CompletionVerdict> {
    const refusals: string[] = [];
    for (const checker of this.checkers) {
      const verdict = await askChecker(checker, answer, scope);
      if (verdict.complete) return verdict;
      refusals.push(`- ${verdict.feedback}`);
    }
    if (refusals.length === 0) return { complete: true };
    return { complete: false, feedback: `One of these is enough, and none is met:\n${refusals.join('\n')}` };
  }
}
