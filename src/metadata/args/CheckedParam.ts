import type { EnumReference } from './TypeReference.js';

// The compiler evaluates these types for every declared property. Most of them depend only on the type of the property
// and the options, so they are evaluated once for all properties with the same type and options. Cheap conditions come
// first.

/** The type of the items of a list; any other type unchanged. */
type Item<V> = V extends readonly (infer I)[] ? I : V;

type EnumValue<E> = E extends readonly (infer X)[] ? X : E[keyof E];

/** The values of a type as JSON has them: the texts or numbers of an enum, any text or number for a branded type. */
type InJson<V> = V extends string
  ? V extends object
    ? string
    : `${V}`
  : V extends number
    ? V extends object
      ? number
      : V
    : V;

/** The members of a union that are not a single text, number or null: `string`, `boolean`, a template, a class. */
type Open<V> = V extends string | number
  ? // A literal is a required property of the record. Any other type is an index signature, which no other property contradicts.
    { readonly [key: symbol]: 1 } extends Record<V, 1>
    ? V
    : never
  : V extends null | undefined
    ? never
    : V;

type IsUnion<V, Whole = V> = V extends unknown ? ([Whole] extends [V] ? false : true) : never;

/** References to types that accept any text or any number. */
type AnyScalar =
  | StringConstructor
  | NumberConstructor
  | 'integer'
  | readonly [AnyScalar]
  | { readonly array: AnyScalar }
  | (() => AnyScalar);

// A single literal passes: the compiler infers one for `readonly days = 7`, and a discriminator has one.
type EnumFault<V, E, R> = [E] extends [never]
  ? [Open<V>] extends [never]
    ? true extends IsUnion<NonNullable<V>>
      ? R extends AnyScalar
        ? 'no enum'
        : never
      : never
    : never
  : EnumReference extends E
    ? never
    : [EnumValue<E>] extends [InJson<V>]
      ? never
      : 'enum';

// The properties of an object are compared when the application is created.
type DefaultFault<V, D> = unknown extends D | V
  ? never
  : D extends readonly (infer I)[]
    ? [Extract<V, readonly unknown[]>] extends [never]
      ? 'default'
      : DefaultFault<Item<Extract<V, readonly unknown[]>>, I>
    : D extends object
      ? [Extract<V, object>] extends [never]
        ? 'default'
        : never
      : D extends InJson<V>
        ? never
        : 'default';

interface FaultTexts {
  readonly optional: 'an optional property needs optional: true or a default in its own decorator; @IsOptional() or an initialiser is not enough';
  readonly 'no enum': 'a union of literals or an enum needs its values as enum in its own decorator; @IsIn() or @IsEnum() is not enough';
  readonly enum: 'enum has a value outside the type of the property: remove the value, or add it to the type';
  readonly default: 'the default does not match the type of the property: change one of them';
}

type ValueFault<V, E, D, R> = unknown extends V ? never : EnumFault<Item<V>, E, R> | DefaultFault<V, D>;

/** True for an optional property without `optional` and without a default in its options. */
type IsSilent<D, O> = undefined extends string
  ? // Without `strictNullChecks`, a question mark does not change the type.
    false
  : true extends O
    ? false
    : [D] extends [undefined]
      ? true
      : false;

type Listed<F> = [F] extends [never] ? [] : [F];

/** Finds faults from the type only: a list without items if a property of this type is valid for any name and class. */
type Suspicion<V, E, D, O, R> =
  // A union with `undefined` has no keys. The compiler knows that even if its other member is a type parameter.
  true extends ([keyof V] extends [never] ? IsSilent<D, O> : false) ? ['optional'] : Listed<ValueFault<V, E, D, R>>;

type Fitting<V, K, E, D, R> = [...Listed<ValueFault<V, E, D, R>>] extends [string]
  ? FaultTexts[ValueFault<V, E, D, R>]
  : K;

/**
 * The key, or the text of its fault. Private and protected members have no key: the compiler does not count them as
 * keys of their class.
 */
type Examined<T, K extends string, E, D, O, R> =
  T extends Record<K, unknown>
    ? Fitting<T[K], K, E, D, R>
    : K extends keyof T
      ? // A class that is `any` takes both branches.
        0 extends T & 1
        ? K
        : IsSilent<D, O> extends true
          ? FaultTexts['optional']
          : Fitting<T[K], K, E, D, R>
      : K;

// While the type of a property is a type parameter, it is open whether it has a fault. A key is then valid if it fits
// each branch that is possible for the compiler's wildcard. The wildcard, spread, is a list of any length: only the
// second branch is possible.

/** The key of a property that fits its decorator; otherwise a text with the reason. */
export type CheckedParam<T, K extends string, E, D, O, R> = [...Suspicion<T[K & keyof T], E, D, O, R>] extends []
  ? K
  : // Without it, the compiler would look for the key in here, at a higher cost than everything else.
    NoInfer<Examined<T, K, E, D, O, R>>;
