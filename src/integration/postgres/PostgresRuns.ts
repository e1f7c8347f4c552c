import { describeValue, messageOf } from '../../common/text.js';
import { requireOptionNames, type OptionNames } from '../../error/optionNames.js';
import type { AppendTransaction } from '../../interface/AppendTransaction.js';
import type { LogEntry, LogPosition } from '../../interface/RunStore.js';
import { otherEntries, placeOf } from '../../runs/sql/appendRefused.js';
import { SqlRuns, type LogRow } from '../../runs/sql/SqlRuns.js';
import { storeFault } from '../../runs/sql/storeFault.js';
import { TextCipher } from '../../runs/sql/TextCipher.js';
import { plainText } from '../../runs/sql/texts.js';
import { PostgresDatabase } from './PostgresDatabase.js';
import { postgresMigration } from './postgresStatements.js';
import type { SqlClient } from './SqlClient.js';

/** Options of `PostgresRuns`. */
export interface PostgresRunsOptions {
  /** The schema of the tables: lower-case letters, digits and `_`; `toolwright` by default. */
  readonly schema?: string | undefined;
  /** False if the tables are created elsewhere, with the SQL of `PostgresRuns.migration`; true by default. */
  readonly migrate?: boolean | undefined;
  /**
   * False behind a pooler that gives each transaction another connection and keeps no prepared statements, such as PgBouncer before
   * 1.21; true by default. Only pools of `pg` prepare statements.
   */
  readonly prepare?: boolean | undefined;
}

const optionNames: OptionNames<PostgresRunsOptions> = { schema: 1, migrate: 1, prepare: 1 };

/**
 * A store of conversations and runs in PostgreSQL 12 or newer, for any number of processes on any number of machines. It creates its
 * tables at first use. Entries hold arguments and results as they are, secrets included (docs/database.md).
 *
 * @example
 * const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
 * pool.on('error', (error) => log.error(error));
 * const conversation = await Conversation.open(new PostgresRuns(pool), 'c-17');
 */
export class PostgresRuns extends SqlRuns {
  /** The client that it was made with: a `PostgresTransactions` on the same pool joins its appends. */
  readonly database: SqlClient;
  readonly #database: PostgresDatabase;

  /**
   * @param client a pool or a client of `pg`, or PGlite; the store never closes it
   * @throws PromptEvaluationError E709 for a schema name with other characters than lower-case letters, digits and `_`
   */
  constructor(client: SqlClient, options: PostgresRunsOptions = {}) {
    requireOptionNames('PostgresRuns', options, optionNames);
    const { migrate: migrates = true, prepare: prepares = true } = options;
    const schema = plainName(options.schema ?? 'toolwright');
    const database = new PostgresDatabase(client, { schema, migrates, prepares });
    super('PostgresRuns', database, new TextCipher('PostgresRuns'));
    this.database = client;
    this.#database = database;
  }

  /**
   * Returns the SQL that creates the tables, one statement, which may be run any number of times.
   *
   * @param schema the option of the same name
   * @throws PromptEvaluationError E709 for a schema name with other characters than lower-case letters, digits and `_`
   */
  static migration(schema = 'toolwright'): string {
    return postgresMigration(plainName(schema));
  }

  /** @throws PromptEvaluationError E709 if another writer opened the log since, other entries stand there, or it cannot be written */
  override async append(
    position: LogPosition,
    entries: readonly LogEntry[],
    within?: AppendTransaction,
  ): Promise<void> {
    if (within === undefined) await super.append(position, entries);
    else await this.#appendWithin(within, position, entries);
  }

  /** Appends and commits in the transaction of a resource. In another one, what the resource has written would be missing. */
  async #appendWithin(within: AppendTransaction, position: LogPosition, entries: readonly LogEntry[]): Promise<void> {
    let cause: unknown;
    try {
      const { name, values } = await this.appendStatement(position, entries);
      const rows = await this.#database.query(within.client as SqlClient, name, values);
      if (rows.length > 0) {
        await within.commit();
        return;
      }
    } catch (error) {
      cause = error;
    }
    await within.rollback();
    // Without its acknowledgement, the database may still be at the commit: the lock waits for it.
    const [log] = await this.#database.run<LogRow>('locked', [plainText(position.conversation)]);
    const isThere = await this.holds(log, position, entries);
    if (cause === undefined) throw otherEntries(position);
    if (!isThere) throw notCommitted(position.conversation, cause);
  }
}

function plainName(schema: string): string {
  if (typeof (schema as unknown) === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return schema;
  throw storeFault(`expected the name of a schema, got ${describeValue(schema)}`, {
    place: 'PostgresRuns, option schema',
    remedy: 'Use at most 63 lower-case letters, digits and underscores, and begin with a letter or an underscore.',
  });
}

function notCommitted(conversation: string, cause: unknown): Error {
  return storeFault(`the transaction of a call was not committed, and neither was its record: ${messageOf(cause)}`, {
    place: placeOf(conversation),
    remedy:
      'Open the conversation again, and go on: the call is repeated if its tool is `openWorld: false` or `idempotent`.',
    cause,
  });
}
