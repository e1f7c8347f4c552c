/** A client that runs SQL: a pool or a client of `pg`, or PGlite. */
export interface SqlClient {
  /** Runs one statement. Its parameters are `$1`, `$2` and so on. */
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** A statement that a connection of `pg` parses and plans once, under its name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** A pool of `pg`, or one of its connections. */
interface PreparingClient {
  query(statement: string | PreparedStatement, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** A connection of a pool of `pg`. */
export interface SqlConnection extends PreparingClient {
  /** @param error true to close the connection */
  release(error?: boolean): void;
  on?(event: 'error', listener: () => void): unknown;
  off?(event: 'error', listener: () => void): unknown;
}

/** A pool of `pg`. */
export interface SqlPool extends PreparingClient {
  readonly totalCount: number;
  connect(): Promise<SqlConnection>;
}

/** Distinguishes a pool from a single connection. */
export function isPool(client: SqlClient): client is SqlPool {
  const { connect, totalCount } = client as Partial<SqlPool>;
  return typeof connect === 'function' && typeof totalCount === 'number';
}

/** SQL in the transaction of the current call, for handlers. Bind it to `new PostgresTransactions(pool)`. */
export abstract class Sql {
  /**
   * Runs one statement. Its parameters are `$1`, `$2` and so on.
   *
   * @throws the error of the database
   */
  abstract query<Row>(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>;
}
