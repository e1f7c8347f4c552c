import type { Reducer } from '../interface/SliceOp.js';
import { Append, Replace } from './SliceOps.js';

/** Appends every event: what happens to events that no reducer is registered for. */
export const appendAll: Reducer<unknown, unknown> = (_view, event) => Append.with(event);

/** Keeps the newest event only. */
export const replaceLatest: Reducer<unknown, unknown> = (_view, event) => Replace.with(event);

/** One value a key: a newer one takes the old one's place, at the end of the slice. */
export function upsertBy<T>(key: (value: T) => unknown): Reducer<T, T> {
  return (view, event) => Replace.with(...view.where((value) => key(value) !== key(event)), event);
}

/** As `upsertBy`, under the name that says what it does to a slice of latest values. */
export function replaceLatestBy<T>(key: (value: T) => unknown): Reducer<T, T> {
  return upsertBy(key);
}
