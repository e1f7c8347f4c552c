import type { ReducerFunction } from '../../interface/SliceOp.js';
import { SliceOps } from './SliceOps.js';

/** Appends every event; the default for events without a registered reducer. */
export const appendAll: ReducerFunction<unknown, unknown> = (_view, event) => SliceOps.append(event);

/** Keeps the newest event only. */
export const replaceLatest: ReducerFunction<unknown, unknown> = (_view, event) => SliceOps.replace(event);

/** Keeps one value for each key: a newer one replaces the older, at the end of the slice. */
export function upsertBy<T>(key: (value: T) => unknown): ReducerFunction<T, T> {
  return (view, event) => SliceOps.replace(...view.where((value) => key(value) !== key(event)), event);
}

/** An alias of `upsertBy`, for slices of latest values. */
export function replaceLatestBy<T>(key: (value: T) => unknown): ReducerFunction<T, T> {
  return upsertBy(key);
}
