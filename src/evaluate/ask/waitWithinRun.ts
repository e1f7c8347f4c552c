import { isInstance } from '../../common/classes.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { DeadlineExceededError } from '../../error/toolErrors.js';
import { Cancelled, isReached, raceLimits, type RaceLimits, waitWithGrace } from '../../limit/raceLimits.js';

/**
 * Waits for code of the host, such as the hooks of sections, no longer than the run may take.
 *
 * @param what what the host is doing, for the message, as in `its sections were rendered`
 * @throws PromptEvaluationError E605, the reason of the caller's signal, or what it rejects with
 */
export async function waitWithinRun<T>(running: PromiseLike<T>, limits: RaceLimits, what: string): Promise<T> {
  try {
    return await raceLimits(running, limits);
  } catch (thrown) {
    throw createStopError(thrown, limits, what);
  }
}

/**
 * Waits for interceptors around a run or a request. A run that is stopped ends by itself, and they see its end; one that still
 * has not settled five seconds later is given up.
 *
 * @throws PromptEvaluationError E605, the reason of the caller's signal, or what it rejects with
 */
export async function runInterceptors<T>(running: Promise<T>, limits: RaceLimits, what: string): Promise<T> {
  const stop = await waitWithGrace(running, limits);
  if (stop === undefined) return running;
  throw createStopError(stop, limits, `an interceptor around ${what} had not ended`);
}

function createStopError(thrown: unknown, { deadline }: RaceLimits, what: string): unknown {
  if (isInstance(thrown, Cancelled)) return thrown.reason;
  if (!(thrown instanceof DeadlineExceededError) || !isReached(deadline)) return thrown;
  return new PromptEvaluationError(`The deadline passed while ${what}.`, {
    phase: 'request',
    code: 'E605',
    cause: thrown,
  });
}
