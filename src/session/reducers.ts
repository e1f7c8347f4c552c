import type { ReducerFunction } from '../interface/SliceOp.js';
import { SliceOps } from './SliceOps.js';

/** Appends every event: what happens to events that no reducer is registered for. */
export const appendAll: ReducerFunction<unknown, unknown> = (_view, event) => SliceOps.append(event);

/** Keeps the newest event only. */
export const replaceLatest: ReducerFunction<unknown, unknown> = (_view, event) => SliceOps.replace(event);

/** One value a key: a newer one takes the old one's place, at the end of the slice. */
export function upsertBy<T>(key: (value: T) => unknown): ReducerFunction<T, T> {
  return (view, event) => SliceOps.replace(...view.where((value) => key(value) !== key(event)), event);
}

/** As `upsertBy`, under the name that says what it does to a slice of latest values. */
export function replaceLatestBy<T>(key: (value: T) => unknown): ReducerFunction<T, T> {
  return upsertBy(key);
}
