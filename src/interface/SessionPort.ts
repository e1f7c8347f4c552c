import type { AbstractConstructor } from '../common/types.js';
import type { SliceView } from './SliceOp.js';

/** A value with writable properties at every level. */
export type Draft<T> = T extends (...args: never) => unknown
  ? T
  : T extends object
    ? { -readonly [K in keyof T]: Draft<T[K]> }
    : T;

/** One slice of a session: the values of one class, oldest first. */
export interface SlicePort<T> extends SliceView<T> {
  /** Replaces all values, bypassing the reducers. */
  seed(values: T | readonly T[]): void;
  /**
   * Changes the latest value, or each value that matches: `update((cart) => { cart.lines.push(line); })`. The function
   * changes a draft in place; unchanged parts are shared with the old value. Bypasses the reducers.
   *
   * @returns the number of changed values
   * @throws SessionError E802 without a latest value, and for a change that returns a promise
   */
  update(change: (draft: Draft<T>) => unknown, where?: (value: T) => boolean): number;
  /** Removes all values, or only matching ones. */
  clear(predicate?: (value: T) => boolean): void;
  /** Dispatches the value as an event, so that reducers receive it. */
  append(value: T & object): void;
}

/** A table that a session can keep: an instance of a class that extends `TransactionalTable` of `toolwright/resources`. */
export interface StateTable extends Iterable<readonly [key: string | number, record: unknown]> {
  readonly size: number;
  begin(): StateTable;
  commit(overlay: never): void;
}

/** A session, or a tool call's view of it. */
export interface SessionPort {
  readonly id: string;
  slice<T>(type: AbstractConstructor<T>): SlicePort<T>;
  /**
   * Returns the table of a class that `slices` lists. In a tool call, it is the overlay of the call.
   *
   * @throws SessionError E808 for a class that is not listed, or does not extend `TransactionalTable`
   */
  table<T extends StateTable>(type: AbstractConstructor<T>): T;
  /** Runs the reducers of the event's class. Without reducers, the event is appended to the slice of its class. */
  dispatch(event: object): void;
}
