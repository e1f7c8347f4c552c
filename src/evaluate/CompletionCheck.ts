import { isInstance } from '../common/classes.js';
import type { CallRun } from '../dispatch/CallRun.js';
import { LinkedSignal } from '../dispatch/attempt/LinkedSignal.js';
import { Cancelled, raceLimits } from '../limit/raceLimits.js';
import type { CompletionChecker, CompletionVerdict, FinalAnswer } from '../interface/CompletionChecker.js';
import { refuseUnchecked, askChecker } from '../policy/askChecker.js';
import { AnswerScope } from './AnswerScope.js';
import type { ModelServices } from './ModelTurn.js';

/** Milliseconds that one checker may take: it may ask another model, but must not hold up a run for ever. */
const CHECK_MS = 60_000;

const COMPLETE: CompletionVerdict = Object.freeze({ complete: true });

/** Asks the completion checkers of a rendering if an answer may be final (docs/contract.md, 10). */
export class CompletionCheck {
  readonly #services: ModelServices;

  constructor(services: ModelServices) {
    this.#services = services;
  }

  /**
   * Returns the first refusal; no checker after it is asked.
   *
   * @throws the reason of the caller's signal
   */
  async judge(run: CallRun, answer: FinalAnswer): Promise<CompletionVerdict> {
    for (const checker of run.rendered.completion) {
      const verdict = await this.#ask(checker, run, answer);
      if (!verdict.complete) return verdict;
    }
    return COMPLETE;
  }

  async #ask(checker: CompletionChecker, run: CallRun, answer: FinalAnswer): Promise<CompletionVerdict> {
    const signal = new LinkedSignal(run.parentCall?.signal);
    const scope = new AnswerScope(this.#services, run, signal);
    try {
      return await raceLimits(askChecker(checker, answer, scope), run, { timeoutMs: CHECK_MS, signal });
    } catch (stopped) {
      if (isInstance(stopped, Cancelled)) throw stopped.reason;
      return refuseUnchecked(checker, scope, 'it was stopped, since its time or that of the run was over');
    } finally {
      await scope.close();
    }
  }
}

/** Returns the text for the model when its answer is refused. */
export function describeRefusal(feedback: string): string {
  return `[Your answer is not taken yet, since the task is not complete. ${feedback} Then give your final answer again.]`;
}
