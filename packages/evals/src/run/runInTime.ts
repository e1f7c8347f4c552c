import { EvalError } from '../EvalError.js';

interface TimeLimit {
  readonly timeoutMs: number;
  /** Ends the wait, too. */
  readonly signal: AbortSignal;
  /** The run or the scorer, as the error names it. */
  readonly place: string;
}

/**
 * Waits for work within its time. Work that does not observe its signal goes on, and its end is ignored.
 *
 * @throws EvalError E998, the reason of the signal, or the error of the work
 */
export function runInTime<T>(
  work: (signal: AbortSignal) => T | PromiseLike<T>,
  { timeoutMs, signal, place }: TimeLimit,
): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const stop = (reason: Error): void => {
      end();
      controller.abort(reason);
      reject(reason);
    };
    const onAbort = (): void => {
      stop(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      stop(new EvalError(`it took longer than ${String(timeoutMs)} ms`, { code: 'E998', place }));
    }, timeoutMs);
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    Promise.resolve()
      .then(() => work(controller.signal))
      .then(resolve, reject)
      .finally(end);
  });
}
