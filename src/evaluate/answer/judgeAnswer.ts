import { MAX_COMPLETION_CHECK_MS } from '../../common/limits.js';
import { isInstance } from '../../common/classes.js';
import type { DispatchContext } from '../../dispatch/DispatchContext.js';
import { LinkedSignal } from '../../dispatch/attempt/LinkedSignal.js';
import { AttemptTransaction } from '../../dispatch/attempt/AttemptTransaction.js';
import { Cancelled, raceLimits } from '../../limit/raceLimits.js';
import type { CompletionChecker, CompletionVerdict, FinalAnswer } from '../../interface/CompletionChecker.js';
import { Filesystem } from '../../interface/Filesystem.js';
import type { Logger } from '../../interface/ports.js';
import type { PromptView } from '../../interface/PromptView.js';
import type { ResourceScope } from '../../interface/ResourceBinding.js';
import type { RunScope } from '../../interface/RunScope.js';
import type { SessionPort } from '../../interface/SessionPort.js';
import type { Deadline } from '../../limit/Deadline.js';
import { refuseUnchecked, askChecker } from '../../policy/askChecker.js';
import type { ModelServices } from '../ask/askModel.js';

/** The verdict where no checker refuses. */
export const COMPLETE: CompletionVerdict = Object.freeze({ complete: true });

/**
 * Asks the completion checkers of a rendering if an answer may be final (docs/contract.md, 10).
 *
 * @returns the first refusal; no checker after it is asked
 * @throws the reason of the caller's signal
 */
export async function judgeAnswer(
  services: ModelServices,
  run: DispatchContext,
  answer: FinalAnswer,
): Promise<CompletionVerdict> {
  for (const checker of run.rendered.completion) {
    const verdict = await askWithinLimits(services, run, checker, answer);
    if (!verdict.complete) return verdict;
  }
  return COMPLETE;
}

export function describeRefusal(feedback: string): string {
  return `[Your answer is not taken yet, since the task is not complete. ${feedback} Then give your final answer again.]`;
}

/** Asks one checker, and refuses the answer when the checker takes too long. */
async function askWithinLimits(
  services: ModelServices,
  run: DispatchContext,
  checker: CompletionChecker,
  answer: FinalAnswer,
): Promise<CompletionVerdict> {
  const signal = new LinkedSignal(run.parentCall?.signal);
  const scope = new AnswerScope(services, run, signal);
  try {
    return await raceLimits(askChecker(checker, answer, scope), run, { timeoutMs: MAX_COMPLETION_CHECK_MS, signal });
  } catch (stopped) {
    if (isInstance(stopped, Cancelled)) throw stopped.reason;
    return refuseUnchecked(checker, scope, 'it was stopped, since its time or that of the run was over');
  } finally {
    await scope.close();
  }
}

/** The run as a completion checker sees it: the state after all calls so far, read-only. */
class AnswerScope implements RunScope {
  readonly #services: ModelServices;
  readonly #run: DispatchContext;
  readonly #signal: LinkedSignal;
  readonly #transaction: AttemptTransaction;

  constructor(services: ModelServices, run: DispatchContext, signal: LinkedSignal) {
    this.#services = services;
    this.#run = run;
    this.#signal = signal;
    this.#transaction = new AttemptTransaction(services, run, { parent: run.parentCall?.transaction, readOnly: true });
  }

  get prompt(): PromptView {
    return this.#run.rendered.prompt;
  }

  get session(): SessionPort {
    return this.#transaction.session;
  }

  get resources(): ResourceScope {
    return this.#transaction.resources;
  }

  get filesystem(): Filesystem | null {
    const { resources } = this.#transaction;
    return resources.has(Filesystem) ? resources.get(Filesystem) : null;
  }

  get deadline(): Deadline | null {
    return this.#run.deadline ?? null;
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  get logger(): Logger {
    const { logger, redaction } = this.#services;
    return redaction.ofCall(undefined, null)?.wrapLogger(logger) ?? logger;
  }

  now(): number {
    return this.#services.clock.now();
  }

  newId(): string {
    return this.#services.ids();
  }

  /** Closes the scope: session and resources refuse every later use. */
  close(): Promise<void> | undefined {
    return this.#transaction.drop(this.#services.logger, 'the final answer');
  }
}
