/** A class that can be constructed with `new`. */
export type Constructor<T = object> = new (...args: never[]) => T;

/** A class that may be abstract. Usable as a key, but not with `new`. */
export type AbstractConstructor<T = object> = abstract new (...args: never[]) => T;

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** A class, or an arrow function that returns the class after every file has been loaded. */
export type ClassOrThunk<T = object> = Constructor<T> | (() => Constructor<T>);

/**
 * A class used only as a type, in a signature that would otherwise read the class too early: `Ref<Order>` is reflected
 * as `Object`, so the class may be declared later or in a circular import.
 */
export type Ref<T> = T;

/** A value that JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON Schema (draft 2020-12) or a part of one. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

declare global {
  // Part of TypeScript's `esnext.disposable` and of the types of Node. Some projects have neither.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** An object to be closed after use, explicitly or with `await using`. */
export interface AsyncCloseable {
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
