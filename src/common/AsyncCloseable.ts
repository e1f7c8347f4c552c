declare global {
  // Part of TypeScript's `esnext.disposable`, and of the types of Node; not every project has one of them.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** An object to be closed after use, explicitly or with `await using`. */
export interface AsyncCloseable {
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
