import type { AbstractConstructor } from '../../common/types.js';
import type { StandardSchema } from '../../interface/StandardSchema.js';
import { isObject } from '../../common/guards.js';

/** The values of an enum: a list, or the enum object itself. */
export type EnumReference = readonly (string | number | boolean | null)[] | Readonly<Record<string, string | number>>;

/**
 * Names a type that the compiler does not emit: a class (including `String`, `Number`, `Boolean` and `Date`), a thunk,
 * `'integer'`, `'any'`, `[X]` or `{ array: X }`, `{ record: X }`, `{ tuple: [X, Y] }`, `{ oneOf: [X, Y] }`, `{ enum:
 * [...] }`. Nestable.
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

/** How to treat a result that does not match its declared type: `fail` the call, or keep the value and `warn` in log and event. */
export type ResultMismatch = 'fail' | 'warn';

/** The type of a result, with options. */
export interface ResultOptions {
  readonly type: TypeReference | StandardSchema;
  /**
   * `warn` for data that does not always match its type: the value is kept, the log warns, and `ToolInvoked` has the
   * issues. MCP servers then publish no schema of the result, because clients refuse results that do not match. `fail`
   * by default.
   */
  readonly mismatch?: ResultMismatch | undefined;
}

/**
 * The declaration of a tool's result: a type, a Standard Schema with a JSON Schema (as of zod or `jsonSchema<T>()`), or
 * one of them with options, `{ type: X, mismatch: 'warn' }`.
 */
export type ResultReference = TypeReference | StandardSchema | ResultOptions;

/** The type of the results that a declaration describes. */
export type ResultOf<R> = R extends {
  readonly '~standard': { readonly types?: { readonly output: infer O } | undefined };
}
  ? O
  : R extends AbstractConstructor<unknown>
    ? ValueOf<R>
    : R extends { readonly type: infer T }
      ? ResultOf<T>
      : ValueOf<R>;

/** The type of the values that a reference describes. Classes come first, because most references are classes. */
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

/**
 * Returns true if a value has the form of a type reference. Accepts missing inner types: the reader of types reports
 * them, and explains circular imports.
 */
export function isTypeReference(value: unknown): value is TypeReference {
  if (typeof value === 'function' || value === 'integer' || value === 'any') return true;
  if (Array.isArray(value)) return value.length === 1 && isInner(value[0]);
  if (!isObject(value)) return false;
  const [[form, inner] = ['', undefined], ...others] = Object.entries(value) as [string, unknown][];
  if (others.length > 0) return false;
  if (form === 'array' || form === 'record') return isInner(inner);
  if (form === 'tuple' || form === 'oneOf') return Array.isArray(inner) && inner.every(isInner);
  return form === 'enum' && isObject(inner);
}

function isInner(value: unknown): boolean {
  return value === undefined || value === null || isTypeReference(value);
}

/**
 * Returns true for the type of a result with options. Returns false for classes, lists and schemas of other libraries,
 * which are types themselves.
 */
export function isResultOptions(value: unknown): value is ResultOptions {
  return isObject(value) && !('~standard' in value) && Object.hasOwn(value, 'type');
}
