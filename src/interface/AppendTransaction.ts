/** An open transaction that an append becomes a part of. Exactly one of the two methods ends it, and gives its connection back. */
export interface AppendTransaction {
  /** The connection that it is open on. */
  readonly client: unknown;
  /** Rejects if it was rolled back, or the connection was lost before the database said which. */
  commit(): Promise<void>;
  /** Does nothing once it has ended. */
  rollback(): Promise<void>;
}
