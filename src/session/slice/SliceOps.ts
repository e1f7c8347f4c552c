import type { SliceOp } from '../../interface/SliceOp.js';

/** The operations that a reducer may return (docs/contract.md, 8). */
export const SliceOps = Object.freeze({
  /** Adds one value at the end. */
  append: <T>(value: T): SliceOp<T> => ({ kind: 'append', value }),
  /** Adds values at the end. */
  extend: <T>(...values: readonly T[]): SliceOp<T> => ({ kind: 'extend', values }),
  /** Replaces all values by these. */
  replace: <T>(...values: readonly T[]): SliceOp<T> => ({ kind: 'replace', values }),
  /** Removes the values that match the predicate; all values without a predicate. */
  clear: <T>(where?: (value: T) => boolean): SliceOp<T> => ({ kind: 'clear', where }),
});
