import type { AppendTransaction } from '../../interface/OutcomeRecord.js';
import type { SqlConnection, SqlPool } from './SqlClient.js';

const ignore = (): void => undefined;

/**
 * A connection of a pool in a transaction. When the transaction ends, the connection is given back, or closed if it
 * cannot be used again.
 */
export class HeldConnection implements AppendTransaction {
  readonly client: SqlConnection;
  #isOver = false;

  private constructor(client: SqlConnection) {
    this.client = client;
    // Between two statements, the pool does not listen, and an `error` without a listener ends the process.
    client.on?.('error', ignore);
  }

  /** @param statements the first one begins the transaction */
  static async begin(pool: SqlPool, statements: readonly string[]): Promise<HeldConnection> {
    const held = new HeldConnection(await pool.connect());
    try {
      for (const statement of statements) await held.client.query(statement);
    } catch (error) {
      held.#end(true);
      throw error;
    }
    return held;
  }

  async commit(): Promise<void> {
    await this.#runLast('COMMIT');
  }

  async rollback(): Promise<void> {
    // If the connection is lost or the commit was refused, the transaction is rolled back already.
    if (!this.#isOver) await this.#runLast('ROLLBACK').catch(() => undefined);
  }

  async #runLast(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    let isBroken = true;
    try {
      await this.client.query(statement);
      isBroken = false;
    } finally {
      this.#end(isBroken);
    }
  }

  #end(isBroken: boolean): void {
    this.#isOver = true;
    this.client.off?.('error', ignore);
    this.client.release(isBroken);
  }
}
