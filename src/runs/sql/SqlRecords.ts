import type { JsonValue } from '../../common/types.js';
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
import type { QuestionAsked, QuestionReply } from '../../interface/RunStore.js';
import { systemClock } from '../../limit/SystemClock.js';
import type { Message } from '../../value/Message.js';
import { ALL_STATES } from '../runStates.js';
import { fieldPlace, questionPlace } from './places.js';
import type { SqlDatabase } from './SqlDatabase.js';
import type { TextCipher } from './TextCipher.js';
import { plainText, textIn } from './texts.js';

/** The records of a page, unless its reader asks for more or fewer. */
const PAGE = 100;
/** The most records that one statement returns. */
const MOST = 1_000_000;

/** Answers a question of a run in its log. */
type AnswerQuestion = (
  run: RunRecord,
  call: string,
  reply: QuestionReply,
  within: WithinChange | undefined,
) => Promise<'taken' | 'late'>;

/** The records of runs in an SQL database. The statements that append to logs change them as well. */
export class SqlRecords implements RunRecords {
  readonly followLog = true;
  readonly #sql: SqlDatabase;
  readonly #cipher: TextCipher;
  readonly #answer: AnswerQuestion;

  /** @param answer answers a question and queues its run, in one transaction */
  constructor(sql: SqlDatabase, cipher: TextCipher, answer: AnswerQuestion) {
    this.#sql = sql;
    this.#cipher = cipher;
    this.#answer = answer;
  }

  async create(run: NewRun, within?: WithinChange): Promise<'created' | 'exists'> {
    const { id, conversation, tenant, input, messages, trace } = run;
    const [sealedInput, sealedMessages] = await Promise.all([
      this.#cipher.seal(JSON.stringify(input), fieldPlace(id, 'input')),
      this.#cipher.seal(JSON.stringify(messages), fieldPlace(id, 'messages')),
    ]);
    const keys = [plainText(id), plainText(conversation), nullable(tenant)];
    const values = [...keys, sealedInput, sealedMessages, trace, systemClock.now()];
    const created = await this.#sql.run('create', values, { within });
    return created.length > 0 ? 'created' : 'exists';
  }

  async get(id: string): Promise<RunRecord | undefined> {
    return (await this.#read(await this.#sql.run<RecordRow>('get', [plainText(id)])))[0];
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
      ...[problem !== undefined, await this.sealProblem(id, problem ?? null)],
      ...[expiresAt !== undefined, expiresAt ?? null, systemClock.now()],
    ];
    return (await this.#read(await this.#sql.run<RecordRow>('change', values, { within })))[0];
  }

  async head(conversation: string): Promise<RunRecord | undefined> {
    return (await this.#read(await this.#sql.run<RecordRow>('head', [plainText(conversation)])))[0];
  }

  async list(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    const { status = ALL_STATES, tenant, conversation, expiresBefore = null, after = 0, limit = PAGE } = filter;
    const keys = [nullable(tenant ?? null), nullable(conversation ?? null)];
    const values = [after, status, ...keys, Math.min(limit, MOST), expiresBefore];
    return this.#read(await this.#sql.run<RecordRow>('runs', values));
  }

  async questions(filter: QuestionFilter = {}): Promise<readonly OpenQuestion[]> {
    const { run, tenant, conversation, limit = PAGE } = filter;
    const values = [run, tenant, conversation].map((text) => nullable(text ?? null));
    const rows = await this.#sql.run<QuestionRow>('questions', [...values, Math.min(limit, MOST)]);
    return Promise.all(rows.map((row) => this.#readQuestion(row)));
  }

  /** Adds the reply to the log, closes the question and queues the run and its job, all in one transaction. */
  async reply(run: RunRecord, call: string, reply: QuestionReply, within?: WithinChange): Promise<'taken' | 'late'> {
    const taken = await this.#answer(run, call, reply, within);
    // The run may still wait if the first reply came through the conversation, which knows no runs.
    if (taken === 'late')
      await this.change(run.id, { status: ['waiting'] }, { status: 'queued', expiresAt: null }, within);
    return taken;
  }

  async prune(before: Date): Promise<number> {
    return (await this.#sql.run('prune', [before.getTime()])).length;
  }

  /** @internal Returns the text of a problem as the column of its run has it. */
  async sealProblem(run: string, problem: string | null): Promise<string | null> {
    return problem === null ? null : this.#cipher.seal(plainText(problem), fieldPlace(run, 'problem'));
  }

  #read(rows: readonly RecordRow[]): Promise<readonly RunRecord[]> {
    return Promise.all(rows.map((row) => this.#readRecord(row)));
  }

  async #readRecord(row: RecordRow): Promise<RunRecord> {
    const { status, owner, takeovers, progress, fingerprint, trace } = row;
    const id = textIn(row.id);
    const open = (text: string, field: 'input' | 'messages' | 'problem'): Promise<string> =>
      this.#cipher.open(text, fieldPlace(id, field));
    return {
      ...{ status, owner, takeovers, progress, fingerprint, trace, id },
      conversation: textIn(row.conversation),
      tenant: row.tenant === null ? null : textIn(row.tenant),
      input: JSON.parse(await open(row.input, 'input')) as JsonValue,
      messages: JSON.parse(await open(row.messages, 'messages')) as readonly Message[],
      order: Number(row.place),
      problem: row.problem === null ? null : textIn(await open(row.problem, 'problem')),
      expiresAt: row.expires === null ? null : Number(row.expires),
      createdAt: Number(row.created),
      changedAt: Number(row.changed),
    };
  }

  async #readQuestion(row: QuestionRow): Promise<OpenQuestion> {
    const conversation = textIn(row.conversation);
    const text = await this.#cipher.open(row.entry, questionPlace(conversation, row.call));
    const { kind: _kind, ...asked } = JSON.parse(text) as QuestionAsked;
    const tenant = row.tenant === null ? null : textIn(row.tenant);
    return { ...asked, id: asked.call, run: textIn(row.run), conversation, tenant };
  }
}

/** A bigint, which some databases return as a text. */
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
  readonly conversation: string;
  readonly call: string;
  readonly run: string;
  readonly tenant: string | null;
  readonly entry: string;
}

function nullable(text: string | null): string | null {
  return text === null ? null : plainText(text);
}
