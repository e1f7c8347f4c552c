import type { SqlDatabase } from './SqlDatabase.js';
import type { TextCipher } from './TextCipher.js';

/** The database of a store, and how the store uses it. */
export interface SqlSource {
  /** The name of the store's class, for messages. */
  readonly name: string;
  readonly sql: SqlDatabase;
  readonly cipher: TextCipher;
  /** The pool or client, if resources may join its transactions. */
  readonly database?: object | undefined;
}

/** The most rows that are read at a time, so that a long log or session never holds the process. */
export const PAGE_ROWS = 1_000;
