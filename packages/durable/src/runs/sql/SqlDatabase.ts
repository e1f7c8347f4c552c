import type { WithinChange } from '../../records/RunRecords.js';
import type { StatementName } from './sharedStatements.js';
import type { TextCipher } from './TextCipher.js';

/** Options of running a statement. */
export interface StatementOptions {
  /** False to make no second attempt after a lost acknowledgement, because the first one may have had its effect. */
  readonly repeats?: boolean | undefined;
  /**
   * Called once the statement has returned rows: in its transaction if the database lets others take part in it, otherwise after the
   * commit.
   */
  readonly within?: WithinChange | undefined;
  /**
   * True for a write that a crash of the system may undo, because nothing was promised after it. It survives the end of the process. A
   * database may ignore this.
   */
  readonly defersSync?: boolean | undefined;
}

/** The port to the database of an `SqlStore`. Every statement is a separate transaction. */
export interface SqlDatabase {
  /**
   * Runs a statement and returns its rows.
   *
   * @param values the parameters: texts, numbers, booleans, dates, null, and lists of texts
   * @throws PromptEvaluationError E709
   */
  run<Row>(statement: StatementName, values: readonly unknown[], options?: StatementOptions): Promise<readonly Row[]>;
  /**
   * Runs a statement in a transaction of another component. Left out by a database that cannot share transactions.
   *
   * @throws the database's own error, unchanged
   */
  runWithin?<Row>(client: unknown, statement: StatementName, values: readonly unknown[]): Promise<readonly Row[]>;
  /** Calls back soon after another process has written. Returns a function that stops this. */
  watch?(onWrite: () => void): () => void;
}

/** The database of a store and the settings of the store. */
export interface SqlSource {
  /** The name of the store's class for messages. */
  readonly name: string;
  readonly sql: SqlDatabase;
  readonly cipher: TextCipher;
  /** The pool or client, if resources may join its transactions. */
  readonly database?: object | undefined;
}

/** The most rows that are read at a time, so that a long log or session never blocks the process. */
export const PAGE_ROWS = 1_000;
