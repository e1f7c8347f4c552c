import type { SliceOp, ReducerFunction } from '../../interface/SliceOp.js';

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

/** Appends every event; the default for events without a registered reducer. */
export const appendAll: ReducerFunction<unknown, unknown> = (_view, event) => SliceOps.append(event);

/** Keeps only the newest event. */
export const replaceLatest: ReducerFunction<unknown, unknown> = (_view, event) => SliceOps.replace(event);

/** Keeps one value for each key: a newer value replaces the older one, and moves to the end of the slice. */
export function upsertBy<T>(key: (value: T) => unknown): ReducerFunction<T, T> {
  return (view, event) => SliceOps.replace(...view.where((value) => key(value) !== key(event)), event);
}

/** Does the same as `upsertBy`; named for slices of latest values. */
export function replaceLatestBy<T>(key: (value: T) => unknown): ReducerFunction<T, T> {
  return upsertBy(key);
}
