import { isThenable } from './classes.js';
import type { Awaitable } from './types.js';

/** Goes on with a value, at once or when its promise is there. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return isThenable(value) ? value.then(next) : next(value);
}
