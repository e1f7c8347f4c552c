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
  /** The isolation level; by default the level of the database, which is normally `read committed`. */
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable' | undefined;
  /**
   * Milliseconds without a statement after which the database rolls a transaction back, e.g. because its process has
   * stopped; 60,000 by default.
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
 * Gives each call its own transaction, which is committed if the call succeeds and rolled back if it fails. If
 * `PostgresRuns` of the run uses the same pool, the outcome of the call is recorded in that transaction: the writes of
 * the handler and the record are kept together, or neither. A tool without other outside effects is `openWorld: false`.
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

  /** @param pool a pool of `pg`, with at least as many connections as concurrent calls */
  constructor(pool: SqlPool, options: PostgresTransactionsOptions = {}) {
    super();
    requireOptionNames('PostgresTransactions', options, optionNames);
    const { isolation, idleMs = DEFAULT_IDLE_MS } = options;
    this.#pool = pool;
    this.#isolation = isolation === undefined ? '' : LEVELS[isolation];
    this.#idleMs = idleMs;
  }

  /** Runs one statement outside calls, without a transaction. */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<{ readonly rows: readonly Row[] }> {
    return (await this.#pool.query(text, [...values])) as { readonly rows: readonly Row[] };
  }

  async begin({ readOnly, record }: BeginOptions): Promise<TransactionSql> {
    const held = await HeldConnection.begin(this.#pool, [
      `BEGIN${this.#isolation} ${readOnly ? 'READ ONLY' : 'READ WRITE'}`,
      // A worker that is stopped but not dead would keep its locks from the worker that takes over.
      `SET LOCAL idle_in_transaction_session_timeout = ${String(Math.trunc(this.#idleMs))}`,
    ]);
    return new TransactionSql(held, record?.database === this.#pool ? record : undefined);
  }

  conflicts(sql: TransactionSql): boolean {
    return sql.hasConflict;
  }

  /**
   * Commits. If the outcome of the call is recorded in the same transaction, leaves the commit to the record, after all
   * checks that could still refuse it.
   */
  async commit({ held, record }: TransactionSql): Promise<'conflicted' | undefined> {
    try {
      // Also refused in a transaction with a failed statement, in which COMMIT would silently roll back.
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
      // Without an answer of the database, the transaction may have been committed.
      if (!isRefused(cause)) throw cause;
      if (isTransient(cause)) return 'conflicted';
      throw new CommitRefusal(cause);
    }
  }

  rollback({ held }: TransactionSql): Promise<void> {
    return held.rollback();
  }
}
