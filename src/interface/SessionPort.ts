import type { AbstractConstructor } from '../common/types.js';
import type { SliceView } from './SliceOp.js';

/** One slice of a session: the values of one class, oldest first. */
export interface SlicePort<T> extends SliceView<T> {
  /** Replaces all values, bypassing the reducers. */
  seed(values: T | readonly T[]): void;
  /** Removes the values that match the predicate, or all. */
  clear(predicate?: (value: T) => boolean): void;
  /** Dispatches the value as an event, so that reducers receive it. */
  append(value: T & object): void;
}

/** A session, or a tool call's view of it. */
export interface SessionPort {
  readonly id: string;
  slice<T>(type: AbstractConstructor<T>): SlicePort<T>;
  /** Runs the reducers of the event's class; without any, the event is appended to the slice of its class. */
  dispatch(event: object): void;
}
