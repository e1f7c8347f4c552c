import { setMaxListeners } from 'node:events';
import { MAX_TIMER_MS } from '../common/limits.js';
import { DeadlineExceededError } from '../error/toolErrors.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { Deadline } from './Deadline.js';
import { waitAtMost } from '../common/promises.js';

/** Reports that an operation took longer than its own timeout. */
export class TimedOut {
  readonly error: DOMException;

  constructor(readonly milliseconds: number) {
    this.error = new DOMException(`The call took longer than ${String(milliseconds)} ms.`, 'TimeoutError');
  }
}

/** Reports that the caller aborted; `reason` is the reason of its signal. */
export class Cancelled {
  constructor(readonly reason: unknown) {}
}

/** The limits of a run. */
export interface RaceLimits {
  readonly deadline?: Deadline | null | undefined;
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Further limits of a wait, and who is notified of its end. */
export interface RaceOptions {
  readonly timeoutMs?: number | undefined;
  /** Aborted when a limit ends the wait. */
  readonly signal?: { abort(reason: unknown): void } | undefined;
  /** Receives a rejection that comes after the wait has ended. */
  readonly onLate?: ((error: unknown) => void) | undefined;
}

/**
 * Waits for a handler, a model or a hook within its timeout, the run's deadline and the caller's signal. The first limit to end
 * the wait aborts `signal`; a later rejection goes only to `onLate`, since an unhandled rejection would end the process.
 *
 * @throws TimedOut, Cancelled, DeadlineExceededError, or the rejection of `running`
 */
export function raceLimits<T>(running: PromiseLike<T>, limits: RaceLimits, options: RaceOptions = {}): Promise<T> {
  return hasLimits(limits, options.timeoutMs) ? raceAgainst(running, limits, options) : Promise.resolve(running);
}

/** The deadlines that have ended a wait. A timer may fire a moment before the clock shows its time. */
const reached = new WeakSet<Deadline>();

/** Checks whether a deadline has passed, or has ended a wait. */
export function isReached(deadline: Deadline | null | undefined): boolean {
  return deadline !== null && deadline !== undefined && (deadline.expired || reached.has(deadline));
}

/** Checks whether anything limits a wait. */
export function hasLimits({ deadline, signal }: RaceLimits, timeoutMs: number | undefined): boolean {
  return (deadline ?? signal ?? timeoutMs) !== undefined;
}

async function raceAgainst<T>(
  running: PromiseLike<T>,
  { deadline = null, signal: caller }: RaceLimits,
  { timeoutMs, signal, onLate }: RaceOptions,
): Promise<T> {
  let isOver = false;
  running.then(undefined, (error: unknown) => {
    if (isOver) onLate?.(error);
  });
  const timers: NodeJS.Timeout[] = [];
  let stop: (reason: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = (reason) => {
      // First, because a handler that listens to the signal may reject at once, which is not the reason why the call ended.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- TimedOut and Cancelled never escape to users
      reject(reason);
      signal?.abort(toAbortReason(reason));
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
        Math.min(milliseconds, MAX_TIMER_MS),
      ),
    );
  };
  if (timeoutMs !== undefined) after(timeoutMs, () => new TimedOut(timeoutMs));
  if (deadline !== null)
    after(Math.max(0, deadline.remaining), () => {
      reached.add(deadline);
      return new DeadlineExceededError();
    });
  if (caller !== undefined) allowManyListeners(caller).addEventListener('abort', onAbort, { once: true });
  const first = Promise.race([running, stopped]);
  // The handler itself may have caused the abort, before the listener was added. The race has begun, so a rejection that the
  // handler then causes also comes second here.
  if (caller?.aborted === true) onAbort();
  try {
    return await first;
  } finally {
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
    caller?.removeEventListener('abort', onAbort);
  }
}

/** Converts the reason of a stop into the form that `fetch` and retry libraries know; keeps a caller's own reason. */
function toAbortReason(stop: unknown): unknown {
  if (stop instanceof TimedOut) return stop.error;
  const reason = stop instanceof Cancelled ? stop.reason : stop;
  if (!(reason instanceof ToolwrightError)) return reason;
  return new DOMException(reason.message, reason.code === 'E605' ? 'TimeoutError' : 'AbortError');
}

/** Allows any number of listeners on a signal without a warning: all requests of a server may listen for its shutdown. */
export function allowManyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}

/**
 * Waits for an operation that must not be interrupted at once, such as a commit: deadline and caller give it five more seconds.
 *
 * @returns undefined once it has ended, successfully or not; otherwise the reason of the stop: Cancelled or DeadlineExceededError
 */
export async function waitWithGrace(running: Promise<unknown>, limits: RaceLimits): Promise<unknown> {
  const ended = running.then(
    () => undefined,
    () => undefined,
  );
  const stop = await raceLimits(ended, limits).catch((reason: unknown) => reason);
  return stop === undefined || (await waitAtMost(ended)) ? undefined : stop;
}
