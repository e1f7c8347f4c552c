import type { AppendTransaction, OutcomeRecord } from '../../../interface/OutcomeRecord.js';

/** The open transactions of a run's calls, which end with the appends of their outcomes. */
export class JoinedTransactions {
  readonly #database: object;
  readonly #open = new Map<string, AppendTransaction>();

  constructor(database: object) {
    this.#database = database;
  }

  recordOf(call: string): OutcomeRecord {
    const join = (transaction: AppendTransaction): boolean => {
      if (this.#open.has(call)) return false;
      this.#open.set(call, transaction);
      return true;
    };
    return { database: this.#database, join };
  }

  has(call: string): boolean {
    return this.#open.has(call);
  }

  /** Takes the transactions that joined the record of a call; the append ends them. */
  take(call: string): AppendTransaction | undefined {
    const transaction = this.#open.get(call);
    this.#open.delete(call);
    return transaction;
  }

  async drop(call: string): Promise<void> {
    await this.take(call)?.rollback();
  }
}
