/** What runs SQL: a pool or a client of `pg`, or PGlite. */
export interface SqlClient {
  /** Runs one statement; its parameters are `$1`, `$2` and so on. */
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** A connection of a pool of `pg`. */
export interface SqlConnection extends SqlClient {
  /** @param error true to close the connection */
  release(error?: boolean): void;
  on?(event: 'error', listener: () => void): unknown;
  off?(event: 'error', listener: () => void): unknown;
}

/** A pool of `pg`. */
export interface SqlPool extends SqlClient {
  readonly totalCount: number;
  connect(): Promise<SqlConnection>;
}
