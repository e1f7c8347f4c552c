import type { SliceOp } from '../interface/SliceOp.js';

/** Adds one value at the end. */
export const Append = Object.freeze({
  with: <T>(value: T): SliceOp<T> => ({ kind: 'append', value }),
});

/** Adds values at the end. */
export const Extend = Object.freeze({
  with: <T>(...values: readonly T[]): SliceOp<T> => ({ kind: 'extend', values }),
});

/** Puts these values in place of all others. */
export const Replace = Object.freeze({
  with: <T>(...values: readonly T[]): SliceOp<T> => ({ kind: 'replace', values }),
});

/** Removes the values that a predicate names, or all. */
export const Clear = Object.freeze({
  all: <T>(): SliceOp<T> => ({ kind: 'clear', where: undefined }),
  where: <T>(predicate: (value: T) => boolean): SliceOp<T> => ({ kind: 'clear', where: predicate }),
});
