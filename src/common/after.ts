import { isThenable } from './classes.js';
import type { Awaitable } from './types.js';

/** Applies `next` to a value, synchronously unless the value is a promise. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return isThenable(value) ? value.then(next) : next(value);
}
