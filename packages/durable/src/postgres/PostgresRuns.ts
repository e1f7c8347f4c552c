import { describeValue } from 'toolwright/internal/light';
import type { SqlClient } from 'toolwright/resources';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { SqlStore } from '../runs/sql/SqlStore.js';
import { createStoreError } from '../runs/sql/createStoreError.js';
import { TextCipher } from '../runs/sql/TextCipher.js';
import { PostgresDatabase } from './PostgresDatabase.js';
import { writePostgresMigration } from './writePostgresStatements.js';

/** Options of `PostgresRuns`. */
export interface PostgresRunsOptions {
  /** The schema of the tables: lower-case letters, digits and `_`; `toolwright` by default. */
  readonly schema?: string | undefined;
  /** False if you create the tables yourself with the SQL of `PostgresRuns.migration`; true by default. */
  readonly migrate?: boolean | undefined;
  /**
   * False behind a pooler that switches connections between transactions and does not keep prepared statements, such as PgBouncer
   * before 1.21; true by default. Only pools of `pg` prepare statements.
   */
  readonly prepare?: boolean | undefined;
}

const optionNames: OptionNames<PostgresRunsOptions> = { schema: 1, migrate: 1, prepare: 1 };

/**
 * A store of conversations and runs in PostgreSQL 12 or newer, for any number of processes on any number of machines. It creates its
 * tables at first use. Entries hold arguments and results unchanged, secrets included.
 *
 * @example
 * const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
 * pool.on('error', (error) => log.error(error));
 * const conversation = await Conversation.open(new PostgresRuns(pool), 'c-17');
 */
export class PostgresRuns extends SqlStore {
  /**
   * @param client a pool or a client of `pg`, or PGlite; the store never closes it
   * @throws PromptEvaluationError E709 for a schema name with other characters than lower-case letters, digits and `_`
   */
  constructor(client: SqlClient, options: PostgresRunsOptions = {}) {
    requireOptionNames('PostgresRuns', options, optionNames);
    const { migrate: migrates = true, prepare: prepares = true } = options;
    const schema = requirePlainName(options.schema ?? 'toolwright');
    const sql = new PostgresDatabase(client, { schema, migrates, prepares });
    super({ name: 'PostgresRuns', sql, cipher: new TextCipher('PostgresRuns'), database: client });
  }

  /**
   * Returns the SQL that creates the tables. It is one statement, and may be run any number of times.
   *
   * @param schema the option of the same name
   * @throws PromptEvaluationError E709 for a schema name with other characters than lower-case letters, digits and `_`
   */
  static migration(schema = 'toolwright'): string {
    return writePostgresMigration(requirePlainName(schema));
  }
}

function requirePlainName(schema: string): string {
  if (typeof (schema as unknown) === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return schema;
  throw createStoreError(`expected the name of a schema, got ${describeValue(schema)}`, {
    place: 'PostgresRuns, option schema',
    remedy: 'Use at most 63 lower-case letters, digits and underscores, and begin with a letter or an underscore.',
  });
}
