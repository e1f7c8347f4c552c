import { setMaxListeners } from 'node:events';
import { DeadlineExceededError } from '../error/toolErrors.js';
import type { CallRun } from './CallRun.js';
import type { CallSignal } from './CallSignal.js';

/** The tool's own time was over. */
export class TimedOut {
  constructor(readonly milliseconds: number) {}
}

/** The caller gave up; `reason` is the signal's. */
export class Cancelled {
  constructor(readonly reason: unknown) {}
}

/** A timer that is set for longer fires at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Waits for a handler (or for a model), but no longer than its timeout, the run's deadline and the caller's patience.
 * Whatever ends it first aborts the call's signal; what the handler rejects with afterwards goes to `onLate` alone, since an
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
      // First, because a handler that hears the signal may reject at once, and that is not why the call ended.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- TimedOut and Cancelled never leave the dispatcher
      reject(reason);
      signal.abort(reason instanceof Cancelled ? reason.reason : reason);
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
  // The handler itself may have led to it, before there was anything to listen.
  if (caller?.aborted === true) onAbort();
  try {
    return await Promise.race([running, stopped]);
  } finally {
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
    caller?.removeEventListener('abort', onAbort);
  }
}

/** A signal that any number of calls may listen to without a warning, as all requests of a server do to its shutdown. */
export function shared(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
