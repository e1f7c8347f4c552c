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

/** The type of the answers to a prompt class, which declares it as the type of a property `output`; unknown without one. */
export type OutputIn<Instance> = Instance extends { readonly output: infer O } ? O : unknown;

/** The type of the answers of a run: that of its own form, or else that of its prompt. */
export type ChosenOutput<O, T> = O extends undefined ? T : OutputOf<O>;

/** `unknown` for a prompt class whose property `output` fits its options; otherwise a type that no class has. */
export type CheckedOutput<Instance, O> = Instance extends { readonly output: infer Declared }
  ? O extends undefined
    ? { readonly 'output does not fit its @Prompt': '@Prompt has no output' }
    : [OutputOf<O>] extends [Declared]
      ? unknown
      : { readonly 'output does not fit its @Prompt': OutputOf<O> }
  : unknown;
