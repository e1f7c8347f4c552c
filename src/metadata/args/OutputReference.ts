import type { ClassOrThunk, Constructor } from '../../common/types.js';

/** The form of a final answer: a class for one instance, or `{ array: X }` for a list. */
export type OutputReference = ClassOrThunk | { readonly array: ClassOrThunk };

/** The type of an answer of a declared form; unknown without a form. */
export type OutputOf<O> = O extends ClassOrThunk
  ? InstanceOf<O>
  : O extends { readonly array: infer I }
    ? readonly InstanceOf<I>[]
    : unknown;

type InstanceOf<C> = C extends Constructor<infer T> ? T : C extends () => Constructor<infer T> ? T : never;

/** The type of the answers of a prompt class, declared as the type of its property `output`; unknown without this property. */
export type OutputIn<Instance> = Instance extends { readonly output: infer O } ? O : unknown;

/** The type of the answers of a run: from its own form, or else from its prompt. */
export type ChosenOutput<O, T> = O extends undefined ? T : OutputOf<O>;

/** `unknown` for a prompt class whose property `output` matches its options; otherwise a type that no class has. */
export type CheckedOutput<Instance, O> = Instance extends { readonly output: infer Declared }
  ? O extends undefined
    ? { readonly 'output does not fit its @Prompt': '@Prompt has no output' }
    : [OutputOf<O>] extends [Declared]
      ? unknown
      : { readonly 'output does not fit its @Prompt': OutputOf<O> }
  : unknown;
