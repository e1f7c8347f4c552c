import { isConflict } from '../../common/sqlState.js';
import type { OutcomeRecord } from '../../interface/OutcomeRecord.js';
import type { BeginOptions, Transactional } from '../../interface/Transactional.js';
import type { HeldConnection } from './HeldConnection.js';
import { Sql } from './SqlClient.js';

/** The read-only calls that share a savepoint. */
interface Readers {
  readonly name: string;
  opened: Promise<unknown> | undefined;
  count: number;
}

/** The transaction of one call. A nested call is a savepoint in it. */
export class TransactionSql extends Sql implements Transactional<TransactionSql> {
  readonly held: HeldConnection;
  /** The record of the call, if it is kept in the same database. */
  readonly record: OutcomeRecord | undefined;
  readonly #name: string;
  #savepoints = 0;
  /** The savepoint of the read-only calls that are running. */
  #readers: Readers | undefined;
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

  /** Opens a savepoint. Read-only calls share one: rolling a savepoint back ends those that were opened after it. */
  async begin({ readOnly }: BeginOptions): Promise<TransactionSql> {
    const readers = readOnly
      ? (this.#readers ??= { name: this.#createName(), count: 0, opened: undefined })
      : undefined;
    if (readers !== undefined) readers.count++;
    const name = readers?.name ?? this.#createName();
    const open = (): Promise<unknown> => this.held.client.query(`SAVEPOINT ${name}`);
    await (readers === undefined ? open() : (readers.opened ??= open()));
    return new TransactionSql(this.held, undefined, name);
  }

  async commit(inner: TransactionSql): Promise<void> {
    await this.held.client.query(`RELEASE SAVEPOINT ${inner.#name}`);
  }

  async rollback(inner: TransactionSql): Promise<void> {
    const readers = this.#readers?.name === inner.#name ? this.#readers : undefined;
    if (readers !== undefined && --readers.count > 0) return;
    if (readers !== undefined) this.#readers = undefined;
    await this.held.client.query(`ROLLBACK TO SAVEPOINT ${inner.#name}`);
  }

  #createName(): string {
    return `s${this.#name}${String(++this.#savepoints)}`;
  }
}
