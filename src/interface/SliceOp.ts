/** The operation that a reducer applies to its slice. */
export type SliceOp<T> =
  | { readonly kind: 'append'; readonly value: T }
  | { readonly kind: 'extend'; readonly values: readonly T[] }
  | { readonly kind: 'replace'; readonly values: readonly T[] }
  | { readonly kind: 'clear'; readonly where: ((value: T) => boolean) | undefined };

/** A reducer's read-only view of its slice. */
export interface SliceView<T> {
  latest(): T | undefined;
  all(): readonly T[];
  where(predicate: (value: T) => boolean): readonly T[];
}

/** Time and id for a reducer. A replayed change gets the same values. */
export interface ReducerContext {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly id: string;
}

/** Computes the operation on the slice. Must be pure: the result depends only on the slice, the event and the context. */
export type ReducerFunction<T, E> = (view: SliceView<T>, event: E, context: ReducerContext) => SliceOp<T>;
