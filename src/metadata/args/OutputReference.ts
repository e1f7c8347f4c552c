import type { ClassOrThunk, Constructor } from '../../common/types.js';

/** The form of a final answer: a class, for one instance of it, or `{ array: X }` for a list. */
export type OutputReference = ClassOrThunk | { readonly array: ClassOrThunk };

/** The type of an answer of a declared form; unknown if no form is declared. */
export type OutputOf<O> = O extends ClassOrThunk
  ? InstanceOf<O>
  : O extends { readonly array: infer I }
    ? readonly InstanceOf<I>[]
    : unknown;

type InstanceOf<C> = C extends Constructor<infer T> ? T : C extends () => Constructor<infer T> ? T : never;
