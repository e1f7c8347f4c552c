import type { SliceOp } from '../interface/SliceOp.js';

/** What a reducer may do to its slice (docs/contract.md). */
export const SliceOps = Object.freeze({
  /** Adds one value at the end. */
  append: <T>(value: T): SliceOp<T> => ({ kind: 'append', value }),
  /** Adds values at the end. */
  extend: <T>(...values: readonly T[]): SliceOp<T> => ({ kind: 'extend', values }),
  /** Puts these values in place of all others. */
  replace: <T>(...values: readonly T[]): SliceOp<T> => ({ kind: 'replace', values }),
  /** Removes the values that the predicate is true of; all values without a predicate. */
  clear: <T>(where?: (value: T) => boolean): SliceOp<T> => ({ kind: 'clear', where }),
});
