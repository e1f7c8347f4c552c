import type { OutcomeRecord } from '../../interface/OutcomeRecord.js';
import type { Transactional } from '../../interface/Transactional.js';
import type { HeldConnection } from './HeldConnection.js';
import { isConflict } from './isTransient.js';
import { Sql } from './Sql.js';

/** The transaction of one call. A call that its handler makes is a savepoint in it. */
export class CallSql extends Sql implements Transactional<CallSql> {
  readonly held: HeldConnection;
  /** The record of the call, if it is kept in the same database. */
  readonly record: OutcomeRecord | undefined;
  readonly #name: string;
  #savepoints = 0;
  #hasConflict = false;

  constructor(held: HeldConnection, record?: OutcomeRecord, name = '') {
    super();
    this.held = held;
    this.record = record;
    this.#name = name;
  }

  /** True if the database refused a statement because of another transaction. */
  get hasConflict(): boolean {
    return this.#hasConflict;
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<{ readonly rows: readonly Row[] }> {
    try {
      return (await this.held.client.query(text, [...values])) as { readonly rows: readonly Row[] };
    } catch (error) {
      this.#hasConflict ||= isConflict(error);
      throw error;
    }
  }

  async begin(): Promise<CallSql> {
    const name = `s${this.#name}${String(++this.#savepoints)}`;
    await this.held.client.query(`SAVEPOINT ${name}`);
    return new CallSql(this.held, undefined, name);
  }

  async commit(inner: CallSql): Promise<void> {
    await this.held.client.query(`RELEASE SAVEPOINT ${inner.#name}`);
  }

  async rollback(inner: CallSql): Promise<void> {
    await this.held.client.query(`ROLLBACK TO SAVEPOINT ${inner.#name}`);
  }
}
