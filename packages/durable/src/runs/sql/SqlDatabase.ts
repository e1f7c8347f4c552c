import type { WithinChange } from 'toolwright/internal';
import type { StatementName } from './sharedStatements.js';
import type { TextCipher } from './TextCipher.js';

/** How a statement is run. */
export interface StatementOptions {
  /** False when a lost acknowledgement must not lead to a second attempt, because the first may have had its effect. */
  readonly repeats?: boolean | undefined;
  /**
   * Called once the statement has returned rows: in its transaction where the database lets others take part in it, otherwise after
   * its commit.
   */
  readonly within?: WithinChange | undefined;
}

/** Port to the database of an `SqlRuns`. Every statement is a transaction of its own. */
export interface SqlDatabase {
  /**
   * Runs a statement and returns its rows.
   *
   * @param values its parameters: texts, numbers, booleans, dates, null, and lists of texts
   * @throws PromptEvaluationError E709
   */
  run<Row>(statement: StatementName, values: readonly unknown[], options?: StatementOptions): Promise<readonly Row[]>;
  /**
   * Runs a statement in a transaction of another component; left out by a database whose transactions cannot be shared.
   *
   * @throws the database's own error, unchanged
   */
  runWithin?<Row>(client: unknown, statement: StatementName, values: readonly unknown[]): Promise<readonly Row[]>;
  /** Calls back soon after another process has written. Returns a function that ends this. */
  watch?(onWrite: () => void): () => void;
}

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
