import type { AbstractConstructor } from '../../common/types.js';
import type { StandardSchema } from '../../interface/StandardSchema.js';

/** The values of an enum: a list, or the enum object itself. */
export type EnumReference = readonly (string | number | boolean | null)[] | Readonly<Record<string, string | number>>;

/**
 * A type, named where the compiler emits none: a class (`String`, `Number`, `Boolean` and `Date` included), a thunk, `'integer'`,
 * `'any'`, `[X]` or `{ array: X }`, `{ record: X }`, `{ tuple: [X, Y] }`, `{ oneOf: [X, Y] }`, `{ enum: [...] }`. Nestable.
 */
export type TypeReference =
  | AbstractConstructor<unknown>
  | 'integer'
  | 'any'
  | (() => TypeReference)
  | readonly [TypeReference]
  | { readonly array: TypeReference }
  | { readonly record: TypeReference }
  | { readonly tuple: readonly TypeReference[] }
  | { readonly oneOf: readonly TypeReference[] }
  | { readonly enum: EnumReference };

/** The declaration of a tool's result: a type, or a Standard Schema with a JSON Schema, such as that of zod or `jsonSchema<T>()`. */
export type ResultReference = TypeReference | StandardSchema;

/** The type of the results that a declaration describes. */
export type ResultOf<R> = R extends {
  readonly '~standard': { readonly types?: { readonly output: infer O } | undefined };
}
  ? O
  : ValueOf<R>;

/** The type of the values that a reference describes. Classes come first, since most references are classes. */
export type ValueOf<T> = TypeReference extends T
  ? unknown
  : T extends StringConstructor
    ? string
    : T extends NumberConstructor | 'integer'
      ? number
      : T extends BooleanConstructor
        ? boolean
        : T extends AbstractConstructor<infer V>
          ? V
          : T extends { readonly array: infer I }
            ? readonly ValueOf<I>[]
            : T extends readonly [infer I]
              ? readonly ValueOf<I>[]
              : T extends { readonly record: infer V }
                ? Readonly<Record<string, ValueOf<V>>>
                : T extends { readonly tuple: infer I }
                  ? { readonly [K in keyof I]: ValueOf<I[K]> }
                  : T extends { readonly oneOf: readonly (infer O)[] }
                    ? ValueOf<O>
                    : T extends () => infer U
                      ? ValueOf<U>
                      : unknown;
