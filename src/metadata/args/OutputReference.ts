import type { ClassOrThunk, Constructor } from '../../common/types.js';

/** The form of a final answer: a class, for one instance of it, or `{ array: X }` for a list. */
export type OutputReference = ClassOrThunk | { readonly array: ClassOrThunk };

/** What an answer of a form is read into; unknown where no form is given. */
export type OutputOf<O> = O extends ClassOrThunk
  ? InstanceOf<O>
  : O extends { readonly array: infer I }
    ? readonly InstanceOf<I>[]
    : unknown;

type InstanceOf<C> = C extends Constructor<infer T> ? T : C extends () => Constructor<infer T> ? T : never;
