import { hostname } from 'node:os';
import { host } from '../../common/builtins.js';
import { describeValue } from '../../common/text.js';
import { requireOptionNames, type OptionNames } from '../../error/optionNames.js';
import { appendRefused, differs, gone, noQuestion } from '../../evaluate/log/appendRefused.js';
import { firstEpoch } from '../../evaluate/log/firstEpoch.js';
import { logFault } from '../../evaluate/log/logFault.js';
import { messageOf } from '../../common/text.js';
import { replyTo } from '../../evaluate/questions.js';
import type { AppendTransaction } from '../../interface/AppendTransaction.js';
import type { DurableStore } from '../../interface/RunRecords.js';
import type { LogEntry, LogPosition, OpenLog, QuestionReply } from '../../interface/RunStore.js';
import { systemClock } from '../../limit/SystemClock.js';
import { Database } from './Database.js';
import { marksOf } from './marksOf.js';
import { migrationOf, VERSION } from './migrations.js';
import { PostgresRecords } from './PostgresRecords.js';
import type { SqlClient } from './SqlClient.js';
import { statementsOf, type Statements } from './statements.js';
import { plainText, textIn } from './texts.js';

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
 * A store of conversations in PostgreSQL 12 or newer, for any number of processes on any number of machines. It creates its tables
 * at first use. Entries hold arguments and results as they are, secrets included (docs/database.md).
 *
 * @example
 * const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
 * pool.on('error', (error) => log.error(error));
 * const conversation = await Conversation.open(new PostgresRuns(pool), 'c-17');
 */
export class PostgresRuns implements DurableStore {
  /** The records of runs. */
  readonly records: PostgresRecords;
  /** The client that it was made with: a `PostgresTransactions` on the same pool joins its appends. */
  readonly database: SqlClient;
  readonly #database: Database;
  readonly #statements: Statements;

  /**
   * @param client a pool or a client of `pg`, or PGlite; the store never closes it
   * @throws PromptEvaluationError E709 for a schema whose name is no plain one
   */
  constructor(client: SqlClient, options: PostgresRunsOptions = {}) {
    requireOptionNames('PostgresRuns', options, optionNames);
    const schema = plainName(options.schema ?? 'toolwright');
    this.database = client;
    const { migrate: migrates = true, prepare: prepares = true } = options;
    this.#database = new Database(client, { schema, migrates, prepares, version: VERSION });
    this.#statements = statementsOf(schema);
    this.records = new PostgresRecords(this.#database, this.#statements);
  }

  /**
   * Returns the SQL that creates the tables, one statement, which may be run any number of times.
   *
   * @param schema the option of the same name
   * @throws PromptEvaluationError E709 for a schema whose name is no plain one
   */
  static migration(schema = 'toolwright'): string {
    return migrationOf(plainName(schema));
  }

  /** @throws PromptEvaluationError E709 if the database cannot be used, or has tables of a newer version */
  async open(conversation: string): Promise<OpenLog> {
    const key = keyOf(conversation);
    const writer = `process ${String(host.pid)} of ${hostname()}`;
    const [opened] = await this.#run<{ epoch: unknown; count: number }>('open', [key, firstEpoch(), writer]);
    const entries = opened?.count === 0 ? [] : await this.entries(conversation);
    return { epoch: Number(opened?.epoch), entries };
  }

  /** @throws PromptEvaluationError E709 if another writer opened the log since, other entries stand there, or it cannot be written */
  async append(position: LogPosition, entries: readonly LogEntry[], within?: AppendTransaction): Promise<void> {
    if (within !== undefined) return this.#appendWithin(within, position, entries);
    if (await this.#appended(position, entries)) return;
    // The same entries again: the acknowledgement of an earlier append may have been lost.
    if (!(await this.#holds('state', position, entries))) throw differs(position.conversation, position.after);
  }

  /**
   * Answers a question of a conversation; `runs.reply` is for those of runs.
   *
   * @throws PromptEvaluationError E709 if there never was such a question, or the database cannot be used
   */
  async reply(conversation: string, call: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    for (;;) {
      const rows = await this.#run<WholeRow>('whole', [keyOf(conversation)]);
      const entries = rows.flatMap(({ entry }) => (entry === null ? [] : [entryOf(entry)]));
      const about = replyTo(entries, conversation, call, reply);
      if (about === 'none') throw noQuestion(conversation, call);
      if (about === 'late') return 'late';
      const position = { conversation, epoch: Number(rows[0]?.epoch), after: entries.length };
      const entry = { kind: 'reply', call, reply } as const;
      if (await this.#appended(position, [entry], false)) return 'taken';
    }
  }

  /** @throws PromptEvaluationError E709 if the database cannot be used */
  async entries(conversation: string, after = 0): Promise<readonly LogEntry[]> {
    const rows = await this.#run<EntryRow>('entries', [keyOf(conversation), after]);
    return rows.map(({ entry }) => entryOf(entry));
  }

  /** @throws PromptEvaluationError E709 if the database cannot be used */
  async list(): Promise<readonly string[]> {
    const rows = await this.#run<{ conversation: string }>('list', []);
    return rows.map(({ conversation }) => textIn(conversation));
  }

  /** @throws PromptEvaluationError E709 if the database cannot be used */
  async delete(conversation: string): Promise<void> {
    await this.#run('delete', [keyOf(conversation)]);
  }

  /**
   * Deletes all conversations to which nothing was written since a time, those included that wait for a reply.
   *
   * @returns how many they were
   * @throws PromptEvaluationError E709 if the database cannot be used
   */
  async prune(before: Date): Promise<number> {
    return (await this.#run('prune', [before])).length;
  }

  /** Appends and commits in the transaction of a resource. In another one, what the resource has written would be missing. */
  async #appendWithin(within: AppendTransaction, position: LogPosition, entries: readonly LogEntry[]): Promise<void> {
    let cause: unknown;
    try {
      const { name, values } = appendOf(position, entries);
      const rows = await this.#database.query(within.client as SqlClient, name, this.#statements[name], values);
      if (rows.length > 0) {
        await within.commit();
        return;
      }
    } catch (error) {
      cause = error;
    }
    await within.rollback();
    // Without its acknowledgement, the database may still be at the commit: this waits for it.
    const isThere = await this.#holds('locked', position, entries);
    if (cause === undefined) throw differs(position.conversation, position.after);
    if (!isThere) throw notCommitted(position.conversation, cause);
  }

  /**
   * Appends at the end of the log as its writer; false if that is not where the entries were to stand.
   *
   * @param repeats false for what must not be repeated, since it may have had its effect
   */
  async #appended(position: LogPosition, entries: readonly LogEntry[], repeats = true): Promise<boolean> {
    const { name, values } = appendOf(position, entries);
    return (await this.#run(name, values, repeats)).length > 0;
  }

  /** True if the log has exactly these entries at their place. @throws PromptEvaluationError E709 if the writer is shut out */
  async #holds(state: 'state' | 'locked', position: LogPosition, entries: readonly LogEntry[]): Promise<boolean> {
    const key = keyOf(position.conversation);
    const [found] = await this.#run<StateRow>(state, [key]);
    if (found === undefined) throw gone(position);
    const { writer, count } = found;
    const refusal = appendRefused(position, entries, { epoch: Number(found.epoch), writer, count });
    if (refusal !== undefined) throw refusal;
    const there = await this.#run<EntryRow>('entries', [key, position.after]);
    return entries.every((entry, index) => textOf(entry) === there[index]?.entry);
  }

  #run<Row>(name: keyof Statements, values: readonly unknown[], repeats?: boolean): Promise<readonly Row[]> {
    return this.#database.run<Row>(name, this.#statements[name], values, repeats);
  }
}

interface StateRow {
  /** A bigint: a text in `pg`, a number in PGlite. */
  readonly epoch: unknown;
  readonly writer: string;
  readonly count: number;
}

interface EntryRow {
  readonly entry: string;
}

interface WholeRow {
  readonly epoch: unknown;
  /** Null in the only row of a log without entries. */
  readonly entry: string | null;
}

function plainName(schema: string): string {
  if (typeof (schema as unknown) === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return schema;
  throw logFault(`expected the name of a schema, got ${describeValue(schema)}`, {
    place: 'PostgresRuns, option schema',
    remedy: 'Use at most 63 lower-case letters, digits and underscores; the first one is no digit.',
  });
}

/** The id as a text of PostgreSQL. */
function keyOf(conversation: string): string {
  if (typeof (conversation as unknown) === 'string' && conversation !== '') return plainText(conversation);
  throw logFault(`expected the id of a conversation, got ${describeValue(conversation)}`, {
    place: 'PostgresRuns',
    remedy: 'Give each conversation a text as its id, at least one character long.',
  });
}

/** The statement of an append, and its parameters. */
function appendOf(
  { conversation, epoch, after }: LogPosition,
  entries: readonly LogEntry[],
): { readonly name: 'append' | 'appendMarked'; readonly values: unknown[] } {
  const values = [keyOf(conversation), epoch, after, entries.map(textOf)];
  const marks = marksOf(entries);
  if (marks === undefined) return { name: 'append', values };
  const { ended, states, problems, asked, over, calls } = marks;
  return {
    name: 'appendMarked',
    values: [...values, ended, states, problems, asked, over, systemClock.now(), calls],
  };
}

function notCommitted(conversation: string, cause: unknown): Error {
  return logFault(`the transaction of a call was not committed, and neither was its record: ${messageOf(cause)}`, {
    place: `conversation ${JSON.stringify(conversation)}`,
    remedy:
      'Open the conversation again, and go on: the call is repeated if its tool is `openWorld: false` or `idempotent`.',
    cause,
  });
}

function textOf(entry: LogEntry): string {
  return JSON.stringify(entry);
}

function entryOf(text: string): LogEntry {
  return JSON.parse(text) as LogEntry;
}
