import { setTimeout as sleep } from 'node:timers/promises';
import { ToolwrightError } from 'toolwright';
import { messageOf, sha256 } from 'toolwright/internal/light';
import type { SqlClient, SqlPool } from 'toolwright/resources';
import { isPool, isTransient } from 'toolwright/internal';
import { runInTransaction } from './runInTransaction.js';
import { FIRST_STATEMENT_PAUSE_MS, MAX_STATEMENT_REPETITIONS } from '../limits.js';
import type { StatementOptions, SqlDatabase } from '../runs/sql/SqlDatabase.js';
import type { StatementName } from '../runs/sql/sharedStatements.js';
import { createStoreError } from '../runs/sql/createStoreError.js';
import { TABLES_VERSION } from '../runs/sql/tables.js';
import { writePostgresMigration, writePostgresStatements } from './writePostgresStatements.js';

/** Statements of every run, which are prepared. Others are rare, or planned better with their values. */
const PREPARED: ReadonlySet<string> = new Set([
  'open',
  'entries',
  'append',
  'appendMarked',
  'appendShared',
  'sessionChanges',
  'create',
  'get',
  'change',
  'head',
]);

/** Options of a `PostgresDatabase`. */
export interface PostgresDatabaseOptions {
  /** The schema of the tables, a plain name. */
  readonly schema: string;
  /** False if the tables are created elsewhere. */
  readonly migrates: boolean;
  /** True if a pool of `pg` prepares statements. */
  readonly prepares: boolean;
}

/** Runs the statements of a store on its tables. Creates the tables at first use, and repeats statements where this is safe. */
export class PostgresDatabase implements SqlDatabase {
  readonly #client: SqlClient;
  readonly #options: PostgresDatabaseOptions;
  readonly #prepares: boolean;
  readonly #statements: Readonly<Record<StatementName, string>>;
  /** The names of prepared statements, by text. They are made from the text, so that they are unique on the connection. */
  readonly #names = new Map<string, string>();
  #ready: Promise<void> | undefined;

  constructor(client: SqlClient, options: PostgresDatabaseOptions) {
    this.#client = client;
    this.#options = options;
    this.#prepares = options.prepares && isPool(client);
    this.#statements = writePostgresStatements(options.schema);
  }

  /** Runs a statement. @throws PromptEvaluationError E709; errors of `within`, unchanged */
  async run<Row>(
    statement: StatementName,
    values: readonly unknown[],
    { repeats = true, within }: StatementOptions = {},
  ): Promise<readonly Row[]> {
    await this.#prepareTables();
    return this.#runRepeatedly(statement, repeats, () => {
      if (within === undefined) return this.#query<Row>(this.#client, statement, values);
      return runInTransaction(this.#client, async (tx) => {
        const rows = await this.#query<Row>(tx, statement, values);
        if (rows.length > 0) await within(tx);
        return rows;
      });
    });
  }

  /** Runs a statement in a transaction of another component. @throws the database's own error, unchanged */
  runWithin<Row>(client: unknown, statement: StatementName, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#query<Row>(client as SqlClient, statement, values);
  }

  /** Runs a statement on a connection of the database. Frequent statements are prepared. */
  async #query<Row>(client: SqlClient, statement: StatementName, values: readonly unknown[]): Promise<readonly Row[]> {
    const text = this.#statements[statement];
    if (!this.#prepares || !PREPARED.has(statement))
      return (await client.query(text, [...values])).rows as readonly Row[];
    const name = this.#names.get(text) ?? `toolwright_${sha256(text).slice(0, 32)}`;
    this.#names.set(text, name);
    const { rows } = await (client as SqlPool).query({ name, text, values: [...values] });
    return rows as readonly Row[];
  }

  async #runRepeatedly<T>(what: string, repeats: boolean, work: () => Promise<T>): Promise<T> {
    for (let times = 0; ; times++) {
      try {
        return await work();
      } catch (cause) {
        if (!repeats || times === MAX_STATEMENT_REPETITIONS || !isTransient(cause))
          throw toStatementError(what, this.#options.schema, cause);
        await sleep(FIRST_STATEMENT_PAUSE_MS * 2 ** times);
      }
    }
  }

  /** Creates the tables once for all calls. After a failure, the next call tries again. */
  async #prepareTables(): Promise<void> {
    this.#ready ??= this.#migrate();
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  async #migrate(): Promise<void> {
    const { schema, migrates } = this.#options;
    if (migrates) await this.#runRepeatedly('migrate', true, () => this.#client.query(writePostgresMigration(schema)));
    const sql = `SELECT max(version) AS version FROM ${schema}.migrations`;
    const { rows } = await this.#runRepeatedly('version', true, () => this.#client.query(sql));
    const [row] = rows as readonly { readonly version: number }[];
    if (row?.version === TABLES_VERSION) return;
    const isOlder = row !== undefined && row.version < TABLES_VERSION;
    const versions = `of version ${String(row?.version)}, and this Toolwright knows ${String(TABLES_VERSION)}`;
    throw createStoreError(`its tables are ${versions}`, {
      place: `PostgresRuns, schema ${schema}`,
      remedy: isOlder
        ? 'Run the SQL of PostgresRuns.migration(), or leave out { migrate: false }.'
        : 'Use the version of Toolwright that wrote them, or a newer one, or another schema.',
    });
  }
}

function toStatementError(statement: string, schema: string, cause: unknown): Error {
  if (cause instanceof ToolwrightError) return cause;
  return createStoreError(`the database refused the statement ${statement}: ${messageOf(cause)}`, {
    place: `PostgresRuns, schema ${schema}`,
    remedy: 'Correct what the message names, and try again: an append that is repeated is in the log once.',
    cause,
  });
}
