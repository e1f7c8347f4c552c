import { setMaxListeners } from 'node:events';
import { DeadlineExceededError } from '../error/toolErrors.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { CallRun } from './CallRun.js';
import type { CallSignal } from './CallSignal.js';

/** The handler took longer than the timeout of its tool. */
export class TimedOut {
  readonly error: DOMException;

  constructor(readonly milliseconds: number) {
    this.error = new DOMException(`The call took longer than ${String(milliseconds)} ms.`, 'TimeoutError');
  }
}

/** The caller aborted; `reason` is that of its signal. */
export class Cancelled {
  constructor(readonly reason: unknown) {}
}

/** A timer that is set for longer fires at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Waits for a handler (or for a model), but no longer than its timeout, the run's deadline and the caller's signal allow.
 * Whichever ends the wait first aborts the call's signal; a later rejection of the handler goes to `onLate` alone, since an
 * unhandled rejection would end the process.
 *
 * @throws TimedOut, Cancelled, DeadlineExceededError, or what the handler throws
 */
export async function raceHandler<T>(
  running: Promise<T>,
  run: CallRun,
  timeoutMs: number | undefined,
  signal: CallSignal,
  onLate?: (error: unknown) => void,
): Promise<T> {
  const { deadline, signal: caller } = run;
  if (timeoutMs === undefined && deadline === undefined && caller === undefined) return running;
  let isOver = false;
  running.catch((error: unknown) => {
    if (isOver) onLate?.(error);
  });
  const timers: NodeJS.Timeout[] = [];
  let stop: (reason: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = (reason) => {
      // First, because a handler that listens to the signal may reject at once, and that is not why the call ended.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- TimedOut and Cancelled never escape the dispatcher
      reject(reason);
      signal.abort(abortReason(reason));
    };
  });
  const onAbort = (): void => {
    stop(new Cancelled(caller?.reason));
  };
  const after = (milliseconds: number, reason: () => unknown): void => {
    timers.push(
      setTimeout(
        () => {
          stop(reason());
        },
        Math.min(milliseconds, LONGEST_TIMER_MS),
      ),
    );
  };
  if (timeoutMs !== undefined) after(timeoutMs, () => new TimedOut(timeoutMs));
  if (deadline !== undefined) after(Math.max(0, deadline.remaining), () => new DeadlineExceededError());
  if (caller !== undefined) shared(caller).addEventListener('abort', onAbort, { once: true });
  // The handler itself may have caused the abort, before the listener was added.
  if (caller?.aborted === true) onAbort();
  try {
    return await Promise.race([running, stopped]);
  } finally {
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
    caller?.removeEventListener('abort', onAbort);
  }
}

/** What the call's signal is aborted with, in the form that `fetch` and retry libraries know; a caller's own reason as it is. */
function abortReason(stop: unknown): unknown {
  if (stop instanceof TimedOut) return stop.error;
  const reason = stop instanceof Cancelled ? stop.reason : stop;
  if (!ToolwrightError.is(reason)) return reason;
  return new DOMException(reason.message, reason.code === 'E605' ? 'TimeoutError' : 'AbortError');
}

/** Allows any number of listeners on a signal without a warning: all requests of a server may listen to its shutdown. */
export function shared(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
