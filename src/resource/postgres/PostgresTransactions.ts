import { isRefused, isTransient } from '../../common/sqlState.js';
import { requireOptionNames, type OptionNames } from '../../error/optionNames.js';
import { CommitRefusal } from '../../error/toolErrors.js';
import type { BeginOptions, Transactional } from '../../interface/Transactional.js';
import { TransactionSql } from './TransactionSql.js';
import { HeldConnection } from './HeldConnection.js';
import { DEFAULT_IDLE_MS } from '../../common/limits.js';
import { Sql, type SqlPool } from './SqlClient.js';

/** Options of `PostgresTransactions`. */
export interface PostgresTransactionsOptions {
  /** The isolation level; that of the database when left out, which is `read committed` unless it was changed. */
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable' | undefined;
  /**
   * The milliseconds after which the database rolls a transaction back in which no statement comes, as when its process has stopped;
   * 60,000 by default.
   */
  readonly idleMs?: number | undefined;
}

const optionNames: OptionNames<PostgresTransactionsOptions> = { isolation: 1, idleMs: 1 };
const LEVELS = {
  'read committed': ' ISOLATION LEVEL READ COMMITTED',
  'repeatable read': ' ISOLATION LEVEL REPEATABLE READ',
  serializable: ' ISOLATION LEVEL SERIALIZABLE',
} as const;

/**
 * A resource with which each call has a transaction of its own: committed if it succeeds, rolled back if not. In a run whose
 * `PostgresRuns` has the same pool, the outcome of the call is recorded in that transaction, so that what the handler wrote and its
 * record are there together, or neither. A tool that does nothing else outside is `openWorld: false`.
 *
 * @example
 * const app = await createApplication({ prompts: [Desk], resources: [bind(Sql, { value: new PostgresTransactions(pool) })] });
 * // in a handler
 * const sql = await resources.resolve(Sql);
 * await sql.query('INSERT INTO orders (item) VALUES ($1)', [item]);
 */
export class PostgresTransactions extends Sql implements Transactional<TransactionSql> {
  readonly #pool: SqlPool;
  readonly #isolation: string;
  readonly #idleMs: number;

  /** @param pool a pool of `pg`, with at least as many connections as calls that run at once */
  constructor(pool: SqlPool, options: PostgresTransactionsOptions = {}) {
    super();
    requireOptionNames('PostgresTransactions', options, optionNames);
    const { isolation, idleMs = DEFAULT_IDLE_MS } = options;
    this.#pool = pool;
    this.#isolation = isolation === undefined ? '' : LEVELS[isolation];
    this.#idleMs = idleMs;
  }

  /** Runs one statement outside of calls, in no transaction. */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<{ readonly rows: readonly Row[] }> {
    return (await this.#pool.query(text, [...values])) as { readonly rows: readonly Row[] };
  }

  async begin({ readOnly, record }: BeginOptions): Promise<TransactionSql> {
    const held = await HeldConnection.begin(this.#pool, [
      `BEGIN${this.#isolation} ${readOnly ? 'READ ONLY' : 'READ WRITE'}`,
      // A worker that is stopped, and not dead, would keep its locks from the one that takes over.
      `SET LOCAL idle_in_transaction_session_timeout = ${String(Math.trunc(this.#idleMs))}`,
    ]);
    return new TransactionSql(held, record?.database === this.#pool ? record : undefined);
  }

  conflicts(sql: TransactionSql): boolean {
    return sql.hasConflict;
  }

  /** Leaves the commit to the record of the call where there is one, after everything that could still refuse it. */
  async commit({ held, record }: TransactionSql): Promise<'conflicted' | undefined> {
    try {
      // Refused in a transaction in which a statement failed, too: its COMMIT would roll back without a word.
      await held.client.query('SET CONSTRAINTS ALL IMMEDIATE');
    } catch (cause) {
      await held.rollback();
      if (isTransient(cause)) return 'conflicted';
      throw new CommitRefusal(cause);
    }
    if (record?.join(held) === true) return undefined;
    try {
      await held.commit();
      return undefined;
    } catch (cause) {
      // Without an answer of the database, it may have been committed.
      if (!isRefused(cause)) throw cause;
      if (isTransient(cause)) return 'conflicted';
      throw new CommitRefusal(cause);
    }
  }

  rollback({ held }: TransactionSql): Promise<void> {
    return held.rollback();
  }
}
