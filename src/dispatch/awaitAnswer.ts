import { isInstance, isThenable } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import type { Awaitable } from '../common/types.js';
import { DeadlineExceededError } from '../error/toolErrors.js';
import type { DispatchServices } from './CallRun.js';
import type { CallSignal } from './CallSignal.js';
import type { IncomingCall } from './IncomingCall.js';
import { logError } from './logError.js';
import { Cancelled, raceHandler, TimedOut } from './raceHandler.js';

/** How somebody who was asked about a call is waited for. */
export interface WaitOptions {
  /** Milliseconds, at most; the run's deadline and the caller's signal end the waiting in any case. */
  readonly milliseconds?: number | undefined;
  /** Aborted when the waiting ends. */
  readonly signal: CallSignal;
  /** Who was asked, for the log. */
  readonly who: string;
}

/**
 * What somebody who was asked about a call answers; an answer that is there already is not waited for.
 *
 * @throws TimedOut, Cancelled, DeadlineExceededError, or what the asked one throws
 */
export function awaitAnswer<T>(
  services: DispatchServices,
  incoming: IncomingCall,
  given: Awaitable<T>,
  { milliseconds, signal, who }: WaitOptions,
): Awaitable<T> {
  if (!isThenable(given)) return given;
  return raceHandler(Promise.resolve(given), incoming.run, milliseconds, signal, (late) => {
    logError(services, incoming, 'debug', `${who}, for which nobody waited any more, ${faultText(late)}`, late);
  });
}

/** True when the run ended the waiting; false for a fault of whoever was asked. */
export function isInterruption(thrown: unknown, { run }: IncomingCall): boolean {
  return isInstance(thrown, Cancelled) || (DeadlineExceededError.is(thrown) && run.deadline?.expired === true);
}

/** What somebody who was asked did instead of answering. */
export function faultText(thrown: unknown): string {
  return isInstance(thrown, TimedOut)
    ? `took longer than ${String(thrown.milliseconds)} ms`
    : `threw: ${messageOf(thrown)}`;
}
