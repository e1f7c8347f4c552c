import { CALL_END_MS } from './limits.js';
import { isThenable } from './classes.js';
import type { Awaitable } from './types.js';

/** Waits for a promise for a limited time. Returns false if it takes longer; rejects if the promise rejects in time. */
export async function waitAtMost(running: PromiseLike<unknown>, patienceMs = CALL_END_MS): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, patienceMs, false);
  });
  const settled = running.then(() => true);
  return Promise.race([settled, late]).finally(() => {
    clearTimeout(timer);
  });
}

/** Applies `next` to a value, synchronously unless the value is a promise. */
export function mapAwaitable<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return isThenable(value) ? value.then(next) : next(value);
}

/** Keeps a promise in a set while it is pending. */
export function trackPromise(promise: Promise<unknown>, running: Set<Promise<unknown>>): void {
  const ended = (): void => void running.delete(promise);
  running.add(promise);
  promise.then(ended, ended);
}
