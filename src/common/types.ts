/** A class that can be constructed with `new`. */
export type Constructor<T = object> = new (...args: never[]) => T;

/** A class that may be abstract: enough for a key, not for `new`. */
export type AbstractConstructor<T = object> = abstract new (...args: never[]) => T;

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** A class, or an arrow function that gives it once every file has been loaded. */
export type ClassOrThunk<T = object> = Constructor<T> | (() => Constructor<T>);

/**
 * A class used as a type only, in a signature that decorators would otherwise read too early:
 * `Ref<Order>` is reflected as `Object`, so the class may be declared later or in a circular file.
 */
export type Ref<T> = T;

/** A value that JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON Schema (draft 2020-12) or a part of one. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}
