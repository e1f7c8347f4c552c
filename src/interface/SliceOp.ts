/** What a reducer does to its slice. */
export type SliceOp<T> =
  | { readonly kind: 'append'; readonly value: T }
  | { readonly kind: 'extend'; readonly values: readonly T[] }
  | { readonly kind: 'replace'; readonly values: readonly T[] }
  | { readonly kind: 'clear'; readonly where: ((value: T) => boolean) | undefined };

/** What a reducer sees of its slice. */
export interface SliceView<T> {
  latest(): T | undefined;
  all(): readonly T[];
  where(predicate: (value: T) => boolean): readonly T[];
}

/** Time and id that a reducer may use; the same again when a journal is replayed. */
export interface ReducerContext {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly id: string;
}

/** Pure: gives what is to be done to the slice, from the slice and the event alone. */
export type ReducerFunction<T, E> = (view: SliceView<T>, event: E, context: ReducerContext) => SliceOp<T>;
