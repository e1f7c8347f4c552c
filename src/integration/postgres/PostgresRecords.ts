import type { JsonValue } from '../../common/types.js';
import { noQuestion } from '../../evaluate/log/appendRefused.js';
import { replyTo } from '../../evaluate/questions.js';
import type {
  NewRun,
  OpenQuestion,
  QuestionFilter,
  RunChanges,
  RunCondition,
  RunFilter,
  RunRecord,
  RunRecords,
  RunStatus,
  WithinChange,
} from '../../interface/RunRecords.js';
import type { LogEntry, QuestionAsked, QuestionReply } from '../../interface/RunStore.js';
import { systemClock } from '../../limit/SystemClock.js';
import type { Message } from '../../value/Message.js';
import type { Database } from './Database.js';
import { recordStatementsOf, type RecordStatements } from './recordStatements.js';
import type { SqlClient } from './SqlClient.js';
import type { Statements } from './statements.js';
import { plainText, textIn } from './texts.js';

const PAGE = 100;
const MOST = 1_000_000;

/** The records of runs in PostgreSQL; the statements that append to logs change them as well. */
export class PostgresRecords implements RunRecords {
  readonly followLog = true;
  readonly #database: Database;
  readonly #logs: Statements;
  readonly #statements: RecordStatements;

  /** @param logs the statements of the same schema */
  constructor(database: Database, logs: Statements) {
    this.#database = database;
    this.#logs = logs;
    this.#statements = recordStatementsOf(database.schema);
  }

  async create(run: NewRun, within?: WithinChange): Promise<'created' | 'exists'> {
    const { id, conversation, tenant, input, messages, trace } = run;
    const texts = [plainText(id), plainText(conversation), nullable(tenant)];
    const values = [...texts, JSON.stringify(input), JSON.stringify(messages), trace, systemClock.now()];
    const created = await this.#changed('create', values, within);
    return created.length > 0 ? 'created' : 'exists';
  }

  async get(id: string): Promise<RunRecord | undefined> {
    return recordsOf(await this.#run('get', [plainText(id)]))[0];
  }

  async change(
    id: string,
    when: RunCondition,
    changes: RunChanges,
    within?: WithinChange,
  ): Promise<RunRecord | undefined> {
    const { status, owner, takeovers, progress, fingerprint, problem, expiresAt } = changes;
    const values = [
      ...[plainText(id), when.status, when.owner !== undefined, when.owner ?? null],
      ...[status ?? null, owner !== undefined, owner ?? null],
      ...[takeovers ?? null, progress ?? null, fingerprint ?? null],
      ...[problem !== undefined, nullable(problem ?? null)],
      ...[expiresAt !== undefined, expiresAt ?? null, systemClock.now()],
    ];
    return recordsOf(await this.#changed('change', values, within))[0];
  }

  async head(conversation: string): Promise<RunRecord | undefined> {
    return recordsOf(await this.#run('head', [plainText(conversation)]))[0];
  }

  async list(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    const { status, tenant, conversation, after = 0, limit = PAGE } = filter;
    const values = [after, status ?? null, nullable(tenant ?? null), nullable(conversation ?? null)];
    return recordsOf(await this.#run('list', [...values, Math.min(limit, MOST)]));
  }

  async questions(filter: QuestionFilter = {}): Promise<readonly OpenQuestion[]> {
    const { run, tenant, conversation, limit = PAGE } = filter;
    const values = [run, tenant, conversation].map((text) => nullable(text ?? null));
    const rows = await this.#run<QuestionRow>('questions', [...values, Math.min(limit, MOST)]);
    return rows.map((row) => {
      const { kind: _kind, ...asked } = JSON.parse(row.entry) as QuestionAsked;
      const place = { run: textIn(row.run), conversation: textIn(row.conversation) };
      return { ...asked, id: asked.call, ...place, tenant: row.tenant === null ? null : textIn(row.tenant) };
    });
  }

  /** In one transaction: the reply in the log, the question, the record, and the job of the engine. */
  reply(run: RunRecord, call: string, reply: QuestionReply, within?: WithinChange): Promise<'taken' | 'late'> {
    const work = async (tx: SqlClient): Promise<'taken' | 'late'> => {
      const taken = await this.#answer(tx, run.conversation, call, reply);
      const values = [plainText(run.id), ['waiting'], false, null, 'queued', false, null, null, null, null];
      await tx.query(this.#statements.change, [...values, false, null, true, null, systemClock.now()]);
      await within?.(tx);
      return taken;
    };
    return this.#database.transaction('reply', work, false);
  }

  async prune(before: Date): Promise<number> {
    return (await this.#run('prune', [before.getTime()])).length;
  }

  async #answer(tx: SqlClient, conversation: string, call: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    const key = plainText(conversation);
    // Until the end of the transaction, no writer appends.
    const { rows } = await tx.query(this.#logs.locked, [key]);
    const [state] = rows as readonly { readonly epoch: unknown; readonly count: number }[];
    const there = await tx.query(this.#logs.entries, [key, 0]);
    const entries = (there.rows as readonly { readonly entry: string }[]).map(
      ({ entry }) => JSON.parse(entry) as LogEntry,
    );
    const about = replyTo(entries, conversation, call, reply);
    if (about === 'none' || state === undefined) throw noQuestion(conversation, call);
    if (about === 'late') return 'late';
    const text = JSON.stringify({ kind: 'reply', call, reply } satisfies LogEntry);
    const values = [key, state.epoch, state.count, [text], [], [], [], [], [call], systemClock.now(), []];
    await tx.query(this.#logs.appendMarked, values);
    return 'taken';
  }

  #run<Row = RecordRow>(name: keyof RecordStatements, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#database.run<Row>(name, this.#statements[name], values);
  }

  #changed(
    name: 'create' | 'change',
    values: readonly unknown[],
    within?: WithinChange,
  ): Promise<readonly RecordRow[]> {
    if (within === undefined) return this.#run(name, values);
    return this.#database.transaction(name, async (tx) => {
      const rows = await this.#database.query<RecordRow>(tx, name, this.#statements[name], values);
      if (rows.length > 0) await within(tx);
      return rows;
    });
  }
}

/** A bigint is a text in `pg`, and a number in PGlite. */
type Big = string | number;

interface RecordRow {
  readonly id: string;
  readonly place: Big;
  readonly conversation: string;
  readonly tenant: string | null;
  readonly input: string;
  readonly messages: string;
  readonly trace: string | null;
  readonly status: RunStatus;
  readonly owner: string | null;
  readonly takeovers: number;
  readonly progress: number;
  readonly fingerprint: string | null;
  readonly problem: string | null;
  readonly expires: Big | null;
  readonly created: Big;
  readonly changed: Big;
}

interface QuestionRow {
  readonly run: string;
  readonly conversation: string;
  readonly tenant: string | null;
  readonly entry: string;
}

function recordsOf(rows: readonly RecordRow[]): readonly RunRecord[] {
  return rows.map((row) => {
    const { status, owner, takeovers, progress, fingerprint, trace } = row;
    return {
      ...{ status, owner, takeovers, progress, fingerprint, trace },
      id: textIn(row.id),
      conversation: textIn(row.conversation),
      tenant: row.tenant === null ? null : textIn(row.tenant),
      input: JSON.parse(row.input) as JsonValue,
      messages: JSON.parse(row.messages) as readonly Message[],
      order: Number(row.place),
      problem: row.problem === null ? null : textIn(row.problem),
      expiresAt: row.expires === null ? null : Number(row.expires),
      createdAt: Number(row.created),
      changedAt: Number(row.changed),
    };
  });
}

function nullable(text: string | null): string | null {
  return text === null ? null : plainText(text);
}
