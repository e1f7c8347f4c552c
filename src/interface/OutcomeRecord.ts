/** Where the outcome of a call will be recorded, for a resource on the same database: its writes and the entry are one. */
export interface OutcomeRecord {
  /** What the store works on, such as a pool, by which a resource sees if that is its own. */
  readonly database: object;
  /**
   * Takes over an open transaction, in place of its commit. It is committed with the entry of the call's outcome, and rolled back if
   * that is refused.
   *
   * @returns false if another resource of the call came first: commit by yourself
   */
  join(transaction: AppendTransaction): boolean;
}

/** An open transaction that an append becomes a part of. Exactly one of the two methods ends it, and gives its connection back. */
export interface AppendTransaction {
  /** The connection that it is open on. */
  readonly client: unknown;
  /** Rejects if it was rolled back, or the connection was lost before the database said which. */
  commit(): Promise<void>;
  /** Does nothing once it has ended. */
  rollback(): Promise<void>;
}
