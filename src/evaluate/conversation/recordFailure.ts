import { messageOf } from '../../common/text.js';
import type { DispatchServices } from '../../dispatch/DispatchContext.js';
import { ApprovalPendingError } from '../../error/ApprovalPendingError.js';
import { BudgetExceededError } from '../../error/BudgetExceededError.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { Conversation } from './Conversation.js';
import type { RunLog } from './log/RunLog.js';

/**
 * Leaves a conversation that can go on: a run that waits for a reply, or that was released, stays open; every other one ends. If
 * the end cannot be recorded, the run stays open as well: the second failure is only logged, so that the caller gets the first one.
 *
 * @throws PromptEvaluationError E709 if the question of a run that waits cannot be recorded
 */
export async function recordFailure(
  error: unknown,
  services: Pick<DispatchServices, 'logger' | 'redaction'>,
  {
    conversation,
    log,
    isCancelled,
  }: { readonly conversation: Conversation; readonly log: RunLog; readonly isCancelled: boolean },
): Promise<void> {
  if (!conversation.isKept) return;
  // Stores the finished steps, so that the next worker does not repeat them; a worker that was shut out has nothing to add.
  if (conversation.isReleased) return log.flush()?.catch(() => undefined);
  // The log cannot be written, a shared session was changed by another conversation, or a person has to answer first.
  if (error instanceof PromptEvaluationError && ['E709', 'E755', 'E731'].includes(error.code)) return;
  if (error instanceof ApprovalPendingError) return log.park(error);
  const { logger, redaction } = services;
  try {
    const problem = messageOf(redaction.redact(error));
    await log.close(isCancelled ? 'cancelled' : 'failed', problem, false, limitReached(error));
  } catch (fault) {
    logger.error(`The end of the run ${log.run} could not be recorded: ${messageOf(fault)}`, { error: fault });
  }
}

/** True if the run waits for the answer to a question: it is parked, and its questions are recorded. */
export function isWaiting(error: unknown): boolean {
  return error instanceof ApprovalPendingError || (error instanceof PromptEvaluationError && error.code === 'E731');
}

/** Returns the limit that ended a run, as a sentence for the model; undefined if something else did. */
function limitReached(error: unknown): string | undefined {
  if (!(error instanceof PromptEvaluationError)) return undefined;
  if (error.code === 'E605') return 'The deadline had passed.';
  return error.cause instanceof BudgetExceededError ? error.cause.message : undefined;
}
