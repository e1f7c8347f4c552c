import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../common/builtins.js';
import { messageOf } from '../../common/text.js';
import { ToolwrightError } from '../../error/ToolwrightError.js';
import { logFault } from '../../evaluate/log/logFault.js';
import { inTransaction } from './inTransaction.js';
import { isTransient } from './isTransient.js';
import { migrationOf } from './migrations.js';
import { isPool, type SqlClient, type SqlPool } from './SqlClient.js';

/** The first pause before a statement that failed for a passing reason is repeated, in milliseconds; each further one is twice as long. */
const PAUSE_MS = 50;
/** About six seconds in all. */
const REPETITIONS = 7;
/** Statements of every run. Others are rare, or planned better with their values. */
const PREPARED: ReadonlySet<string> = new Set([
  ...['open', 'entries', 'append', 'appendMarked'],
  ...['create', 'get', 'change', 'head'],
]);

/** What a database is opened with. */
export interface DatabaseOptions {
  /** A plain name. */
  readonly schema: string;
  /** False if the tables are created elsewhere. */
  readonly migrates: boolean;
  /** True if a pool of `pg` prepares statements. */
  readonly prepares: boolean;
  /** The version of the tables that this code reads and writes. */
  readonly version: number;
}

/** The tables of a store: created at first use, with statements that are repeated where that is safe. */
export class Database {
  readonly schema: string;
  readonly #client: SqlClient;
  readonly #options: DatabaseOptions;
  readonly #prepares: boolean;
  /** The names under which statements are prepared: by their text, so that no other one of the connection has the same. */
  readonly #names = new Map<string, string>();
  #ready: Promise<void> | undefined;

  constructor(client: SqlClient, options: DatabaseOptions) {
    this.#client = client;
    this.#options = options;
    this.#prepares = options.prepares && isPool(client);
    this.schema = options.schema;
  }

  /**
   * Runs one statement.
   *
   * @param what names it in errors
   * @param repeats false for one that must not be repeated, since it may have had its effect
   * @throws PromptEvaluationError E709
   */
  async run<Row>(what: string, sql: string, values: readonly unknown[], repeats = true): Promise<readonly Row[]> {
    await this.#prepared();
    return this.#repeated(what, repeats, () => this.query<Row>(this.#client, what, sql, values));
  }

  /**
   * Runs one statement on a connection of the database, prepared where that pays.
   *
   * @throws what the database throws
   */
  async query<Row>(client: SqlClient, what: string, sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    if (!this.#prepares || !PREPARED.has(what)) return (await client.query(sql, [...values])).rows as readonly Row[];
    const name = this.#names.get(sql) ?? `toolwright_${sha256(sql).slice(0, 32)}`;
    this.#names.set(sql, name);
    const { rows } = await (client as SqlPool).query({ name, text: sql, values: [...values] });
    return rows as readonly Row[];
  }

  /**
   * Does the work in a transaction, which is rolled back if it fails.
   *
   * @param repeats false for work that must not be repeated, since it may have had its effect
   * @throws PromptEvaluationError E709, and what the work throws of its own
   */
  async transaction<T>(what: string, work: (tx: SqlClient) => Promise<T>, repeats = true): Promise<T> {
    await this.#prepared();
    return this.#repeated(what, repeats, () => inTransaction(this.#client, work));
  }

  async #repeated<T>(what: string, repeats: boolean, work: () => Promise<T>): Promise<T> {
    for (let times = 0; ; times++) {
      try {
        return await work();
      } catch (cause) {
        if (!repeats || times === REPETITIONS || !isTransient(cause)) throw unusable(what, this.schema, cause);
        await sleep(PAUSE_MS * 2 ** times);
      }
    }
  }

  /** Creates the tables, once for all calls; a failure is tried again by the next one. */
  async #prepared(): Promise<void> {
    this.#ready ??= this.#prepare();
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  async #prepare(): Promise<void> {
    const { schema, migrates, version } = this.#options;
    if (migrates) await this.#repeated('migrate', true, () => this.#client.query(migrationOf(schema)));
    const sql = `SELECT max(version) AS version FROM ${schema}.migrations`;
    const { rows } = await this.#repeated('version', true, () => this.#client.query(sql));
    const [row] = rows as readonly { readonly version: number }[];
    if (row?.version === version) return;
    const isOlder = row !== undefined && row.version < version;
    throw logFault(`its tables are of version ${String(row?.version)}, and this Toolwright knows ${String(version)}`, {
      place: `PostgresRuns, schema ${schema}`,
      remedy: isOlder
        ? 'Run the SQL of PostgresRuns.migration(), or leave out { migrate: false }.'
        : 'Use the version of Toolwright that wrote them, or a newer one, or another schema.',
    });
  }
}

function unusable(statement: string, schema: string, cause: unknown): Error {
  if (ToolwrightError.is(cause)) return cause;
  return logFault(`the database refused to ${statement}: ${messageOf(cause)}`, {
    place: `PostgresRuns, schema ${schema}`,
    remedy: 'Mend what the message names, and try again: an append that is repeated is in the log once.',
    cause,
  });
}
