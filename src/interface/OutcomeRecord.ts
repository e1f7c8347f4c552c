import type { AppendTransaction } from './AppendTransaction.js';

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
