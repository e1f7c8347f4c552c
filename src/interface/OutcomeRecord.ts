/**
 * Shows a resource where the outcome of a call will be recorded. A resource on the same database can write in the same
 * transaction as the log entry.
 */
export interface OutcomeRecord {
  /** The database object of the store, such as a pool. A resource compares it with its own. */
  readonly database: object;
  /**
   * Takes over an open transaction before its commit. It is committed together with the log entry of the outcome, and
   * rolled back if the entry is refused.
   *
   * @returns false if another resource of the call came first: commit the transaction yourself
   */
  join(transaction: AppendTransaction): boolean;
}

/** An open transaction that an append joins. Exactly one of the two methods ends it and releases its connection. */
export interface AppendTransaction {
  /** The connection of the transaction. */
  readonly client: unknown;
  /** Commits the transaction. Rejects if it was rolled back, or the connection was lost before the database answered. */
  commit(): Promise<void>;
  /** Rolls the transaction back. Does nothing after it has ended. */
  rollback(): Promise<void>;
}
