import type { ResourceError } from '../../error/infrastructureErrors.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { MaskedError } from '../redact/ErrorMask.js';
import type { GuardedCall } from '../admit/IncomingCall.js';
import { describeNotRestored } from '../finish/outcomeTexts.js';
import { createEscaping, createFailed, NOT_ROLLED_BACK, type AttemptResult } from '../finish/outcomes.js';

/**
 * Creates the result of a call that could not undo its changes. The run continues, and the model reads the result. An error that
 * ends the run, such as its deadline, still ends it and reports this: event, error and log agree that the state is unknown
 * (docs/contract.md, 7.20).
 *
 * @param masked replaces the error's message; undefined if the model may read the message
 */
export function createNotRestoredResult(
  { tool }: GuardedCall,
  callResult: AttemptResult,
  fault: ResourceError,
  masked: MaskedError | undefined,
): AttemptResult {
  const { name, metadata } = tool;
  const { result, error: cause = fault, isSilent = false, approved } = callResult;
  const kept = approved === undefined ? NOT_ROLLED_BACK : { ...NOT_ROLLED_BACK, approved };
  const kind = callResult.kind === 'timed_out' ? 'timed_out' : 'failed';
  const text = describeNotRestored(name, cause, masked);
  const endsRun = result === null && callResult.kind !== 'expanded' && !isSilent;
  if (!endsRun) return { ...createFailed(text, fault), kind, ...kept };
  const problem = `${text} ${fault.message}`;
  const error = new PromptEvaluationError(problem, { phase: 'tool', code: 'E911', place: metadata.place, cause });
  return { ...createEscaping(kind, error), ...kept };
}
