import { isInstance, isThenable } from '../../common/classes.js';
import { messageOf } from '../../common/text.js';
import type { Awaitable } from '../../common/types.js';
import { DeadlineExceededError } from '../../error/toolErrors.js';
import type { LinkedSignal } from './LinkedSignal.js';
import type { IncomingCall } from '../admit/IncomingCall.js';
import { logError } from '../finish/logError.js';
import { Cancelled, isReached, raceLimits, TimedOut } from '../../limit/raceLimits.js';

/** The limits of waiting for a policy or an approver. */
export interface WaitOptions {
  /** Time limit in milliseconds; the run's deadline and the caller's signal end the wait in any case. */
  readonly milliseconds?: number | undefined;
  /** Aborted when the wait ends. */
  readonly signal: LinkedSignal;
  /** The name of the policy or approver, for the log. */
  readonly who: string;
}

/**
 * Waits for the answer of a policy or an approver; returns an answer that is not a promise at once.
 *
 * @throws TimedOut, Cancelled, DeadlineExceededError, or the error of the policy or approver
 */
export function awaitAnswer<T>(
  incoming: IncomingCall,
  given: Awaitable<T>,
  { milliseconds, signal, who }: WaitOptions,
): Awaitable<T> {
  if (!isThenable(given)) return given;
  return raceLimits(Promise.resolve(given), incoming.run, {
    timeoutMs: milliseconds,
    signal,
    onLate: (late) => {
      logError(incoming, 'debug', `${who}, which was no longer awaited, ${describeFault(late)}`, late);
    },
  });
}

/** Checks whether the run ended the wait, and not a failure of the policy or approver. */
export function isInterruption(thrown: unknown, { run }: IncomingCall): boolean {
  return isInstance(thrown, Cancelled) || (thrown instanceof DeadlineExceededError && isReached(run.deadline));
}

export function describeFault(thrown: unknown): string {
  return isInstance(thrown, TimedOut)
    ? `took longer than ${String(thrown.milliseconds)} ms`
    : `threw: ${messageOf(thrown)}`;
}
