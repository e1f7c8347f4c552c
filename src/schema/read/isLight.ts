import { isObject } from '../../common/guards.js';

/** The weights of the parts of a value, and the limit on their sum. */
export interface WeightLimit {
  /** The weight of each scalar, list and object. */
  readonly value: number;
  /** The weight of each character, in texts and keys. */
  readonly character: number;
  readonly most: number;
}

/**
 * Checks whether a value weighs no more than the limit. Stops once the limit is exceeded, so that even a value that contains
 * itself ends; a part that occurs twice counts twice. Each call is weighed, and a loop is faster than `walkValue` with a visitor.
 */
export function isLight(value: unknown, { value: each, character, most }: WeightLimit): boolean {
  const open: unknown[] = [value];
  let left = most;
  for (let next = open.pop(); left >= 0; next = open.pop()) {
    left -= each;
    if (typeof next === 'string') left -= next.length * character;
    else if (isObject(next)) {
      const inner: readonly unknown[] = Object.values(next);
      if (inner.length * each > left) return false;
      if (!Array.isArray(next)) for (const key of Object.keys(next)) left -= key.length * character;
      for (const part of inner) open.push(part);
    }
    if (open.length === 0) return left >= 0;
  }
  return false;
}
