import { type JsonValue, type Message, systemClock, ToolwrightError } from 'toolwright';
import type { RunEntry, QuestionReply } from 'toolwright/conversations';
import { messageOf, quote } from 'toolwright/internal/light';
import type {
  NewRun,
  OpenQuestion,
  QuestionFilter,
  RecordChanges,
  RecordCondition,
  RunFilter,
  RecordOutline,
  RunRecord,
  RunRecords,
  RunsOverview,
  RunStatus,
  TenantFilter,
  WithinChange,
} from '../../records/RunRecords.js';
import { DEFAULT_PAGE_RECORDS, MAX_RETURNED_RECORDS } from '../../limits.js';
import { ALL_STATES } from '../runStates.js';
import { computeChecksum, escapeText, readTenantKey, toTenantKey, unescapeText } from './columnTexts.js';
import { sealProblem } from './EntryTexts.js';
import { formatFieldPlace, formatQuestionPlace } from './formatPlaces.js';
import type { SqlDatabase } from './SqlDatabase.js';
import { createStoreError } from './createStoreError.js';
import type { TextCipher } from './TextCipher.js';

/** The database of the records, and its encryption. */
export interface RecordSource {
  readonly sql: SqlDatabase;
  readonly cipher: TextCipher;
}

/** A function that answers a question of a run in its log, and queues the run. */
type AnswerQuestion = (
  run: RunRecord,
  question: string,
  reply: QuestionReply,
  within: WithinChange | undefined,
) => Promise<'taken' | 'late'>;

/** The records of a tenant's runs in an SQL database. Statements that append to logs change the records as well. */
export class SqlRecords implements RunRecords {
  readonly followLog = true;
  readonly #source: RecordSource;
  readonly #tenant: string | null;
  readonly #key: string;
  readonly #answer: AnswerQuestion;

  constructor(source: RecordSource, tenant: string | null, answer: AnswerQuestion) {
    this.#source = source;
    this.#tenant = tenant;
    this.#key = toTenantKey(tenant);
    this.#answer = answer;
  }

  /** Returns the view of all tenants. */
  static acrossTenants(source: RecordSource): RunsOverview {
    const keyOf = ({ tenant }: TenantFilter): string | null => (tenant === undefined ? null : toTenantKey(tenant));
    return {
      list: (filter = {}) => listRuns(source, keyOf(filter), filter),
      outline: async (filter = {}) =>
        (await readPage<OutlineRow>(source, 'outline', keyOf(filter), filter)).map(readOutline),
      questions: (filter = {}) => listQuestions(source, keyOf(filter), filter),
      prune: (before) => pruneRuns(source, null, before),
    };
  }

  async create(run: NewRun, within?: WithinChange): Promise<'created' | 'exists'> {
    const { id, conversation, input, messages, trace } = run;
    const seal = (value: unknown, field: 'input' | 'messages'): Promise<string> =>
      this.#source.cipher.seal(JSON.stringify(value), formatFieldPlace(this.#tenant, id, field));
    const [sealedInput, sealedMessages] = await Promise.all([seal(input, 'input'), seal(messages, 'messages')]);
    const texts = [escapeText(id), escapeText(conversation), trace] as const;
    const sum = checksumOf(this.#key, ...texts, sealedInput, sealedMessages);
    const values = [this.#key, ...texts, systemClock.now(), sum, sealedInput, sealedMessages];
    const created = await this.#source.sql.run('create', values, { within });
    return created.length > 0 ? 'created' : 'exists';
  }

  async get(id: string): Promise<RunRecord | undefined> {
    const rows = await this.#source.sql.run<RecordRow>('get', [this.#key, escapeText(id)]);
    return (await readRecords(this.#source, rows))[0];
  }

  async change(
    id: string,
    when: RecordCondition,
    changes: RecordChanges,
    within?: WithinChange,
  ): Promise<RunRecord | undefined> {
    const { status, owner, takeovers, progress, fingerprint, problem, expiresAt } = changes;
    const values = [
      this.#key,
      escapeText(id),
      when.status,
      when.owner !== undefined,
      when.owner ?? null,
      status ?? null,
      owner !== undefined,
      owner ?? null,
      takeovers ?? null,
      progress ?? null,
      fingerprint ?? null,
      problem !== undefined,
      await sealProblem(this.#source.cipher, this.#tenant, id, problem ?? null),
      expiresAt !== undefined,
      expiresAt ?? null,
      systemClock.now(),
    ];
    const options = { within, defersSync: isFirstTake(changes) };
    const rows = await this.#source.sql.run<RecordRow>('change', values, options);
    return (await readRecords(this.#source, rows))[0];
  }

  async head(conversation: string): Promise<RunRecord | undefined> {
    const rows = await this.#source.sql.run<RecordRow>('head', [this.#key, escapeText(conversation)]);
    return (await readRecords(this.#source, rows))[0];
  }

  list(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    return listRuns(this.#source, this.#key, filter);
  }

  questions(filter: QuestionFilter = {}): Promise<readonly OpenQuestion[]> {
    return listQuestions(this.#source, this.#key, filter);
  }

  /** Adds the reply to the log, closes the question and queues the run and its job, all in one transaction. */
  async reply(
    run: RunRecord,
    question: string,
    reply: QuestionReply,
    within?: WithinChange,
  ): Promise<'taken' | 'late'> {
    const taken = await this.#answer(run, question, reply, within);
    // The run may still wait if the first reply came through the conversation, which does not know about runs.
    if (taken === 'late' && (await this.questions({ run: run.id, limit: 1 })).length === 0)
      await this.change(run.id, { status: ['waiting'] }, { status: 'queued', expiresAt: null }, within);
    return taken;
  }

  prune(before: Date): Promise<number> {
    return pruneRuns(this.#source, this.#key, before);
  }
}

/**
 * Checks for the changes of a worker that takes a run of which nothing is recorded. After a crash of the system, another worker takes it:
 * no call runs before the model's answer is on the disk, and these changes with it.
 */
function isFirstTake({ status, takeovers, progress, fingerprint }: RecordChanges): boolean {
  if (status === 'running') return takeovers === 0 && progress === 0;
  return status === undefined && fingerprint !== undefined;
}

/** Lists runs. @param key the key of a tenant; null for all */
async function listRuns(source: RecordSource, key: string | null, filter: RunFilter): Promise<readonly RunRecord[]> {
  return readRecords(source, await readPage<RecordRow>(source, 'runs', key, filter));
}

/** Reads a page of rows. @param key the key of a tenant; null for all */
function readPage<Row>(
  { sql }: RecordSource,
  statement: 'runs' | 'outline',
  key: string | null,
  filter: RunFilter,
): Promise<readonly Row[]> {
  const { status = ALL_STATES, conversation, expiresBefore = null, after = 0, limit = DEFAULT_PAGE_RECORDS } = filter;
  return sql.run<Row>(statement, [
    key,
    after,
    status,
    toNullable(conversation),
    Math.min(limit, MAX_RETURNED_RECORDS),
    expiresBefore,
  ]);
}

/** Lists open questions. @param key the key of a tenant; null for all */
async function listQuestions(
  source: RecordSource,
  key: string | null,
  { question, run, conversation, limit = DEFAULT_PAGE_RECORDS }: QuestionFilter,
): Promise<readonly OpenQuestion[]> {
  const most = Math.min(limit, MAX_RETURNED_RECORDS);
  const values = [key, toNullable(run), toNullable(conversation), toNullable(question), most];
  const rows = await source.sql.run<QuestionRow>('questions', values);
  return Promise.all(rows.map((row) => readQuestion(source, row)));
}

/** Deletes old runs. @param key the key of a tenant; null for all */
async function pruneRuns({ sql }: RecordSource, key: string | null, before: Date): Promise<number> {
  return (await sql.run('prune', [before.getTime(), key])).length;
}

/** A bigint, which some databases return as a text. */
type Big = string | number;

interface RecordRow {
  readonly id: string;
  readonly place: Big;
  readonly tenant: string;
  readonly conversation: string;
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
  readonly sum: string;
  readonly input: string;
  readonly messages: string;
}

type OutlineRow = Pick<RecordRow, 'id' | 'place' | 'tenant' | 'conversation' | 'status' | 'owner'>;

interface QuestionRow {
  readonly tenant: string;
  readonly conversation: string;
  readonly id: string;
  readonly run: string;
  readonly sum: string;
  readonly entry: string;
}

function readRecords(source: RecordSource, rows: readonly RecordRow[]): Promise<readonly RunRecord[]> {
  return Promise.all(rows.map((row) => readRecord(source, row)));
}

function readOutline({ id, place, tenant, conversation, status, owner }: OutlineRow): RecordOutline {
  const ids = {
    id: readLegibly(id),
    tenant: tenant === '' ? null : readLegibly(tenant),
    conversation: readLegibly(conversation),
  };
  return { ...ids, order: Number(place), status, owner };
}

/** Reads a text of `escapeText`. Returns a damaged text unchanged. */
function readLegibly(plain: string): string {
  try {
    return unescapeText(plain);
  } catch {
    return plain;
  }
}

/** Reads a record. @throws PromptEvaluationError E709 for a damaged row */
async function readRecord({ cipher }: RecordSource, row: RecordRow): Promise<RunRecord> {
  const { status, owner, takeovers, progress, fingerprint, trace, sum } = row;
  const id = unescapeText(row.id);
  // Rows written before version 3 have no checksum.
  if (sum !== '' && sum !== checksumOf(row.tenant, row.id, row.conversation, trace, row.input, row.messages))
    throw createDamagedRecordError(id, 'its texts do not match their checksum');
  if (!ALL_STATES.includes(status)) throw createDamagedRecordError(id, `there is no status ${JSON.stringify(status)}`);
  const tenant = readTenantKey(row.tenant);
  const open = (text: string, field: 'input' | 'messages' | 'problem'): Promise<string> =>
    cipher.open(text, formatFieldPlace(tenant, id, field));
  try {
    return {
      status,
      owner,
      takeovers,
      progress,
      fingerprint,
      trace,
      id,
      tenant,
      conversation: unescapeText(row.conversation),
      input: JSON.parse(await open(row.input, 'input')) as JsonValue,
      messages: JSON.parse(await open(row.messages, 'messages')) as readonly Message[],
      order: Number(row.place),
      problem: row.problem === null ? null : unescapeText(await open(row.problem, 'problem')),
      expiresAt: row.expires === null ? null : Number(row.expires),
      createdAt: Number(row.created),
      changedAt: Number(row.changed),
    };
  } catch (error) {
    throw error instanceof ToolwrightError ? error : createDamagedRecordError(id, messageOf(error));
  }
}

/** Reads a question. @throws PromptEvaluationError E709 for a damaged row, because a decision must not be about changed arguments */
async function readQuestion({ cipher }: RecordSource, row: QuestionRow): Promise<OpenQuestion> {
  const [tenant, conversation] = [readTenantKey(row.tenant), unescapeText(row.conversation)];
  const place = formatQuestionPlace(tenant, conversation, row.id);
  if (row.sum !== computeChecksum(place, row.entry)) throw createDamagedQuestionError(place);
  const text = await cipher.open(row.entry, place);
  const { kind: _kind, ...asked } = JSON.parse(text) as RunEntry<'question'>;
  return { ...asked, run: unescapeText(row.run), conversation, tenant };
}

/** Computes the checksum of the constant texts of a record. */
function checksumOf(
  tenant: string,
  id: string,
  conversation: string,
  trace: string | null,
  input: string,
  messages: string,
): string {
  return computeChecksum(tenant, id, conversation, trace ?? '', input, messages);
}

function createDamagedRecordError(id: string, problem: string): Error {
  return createStoreError(`the record of the run is damaged: ${problem}`, {
    place: `run ${quote(id)}`,
    remedy: 'Restore the database from a copy, or delete the row; other runs can be read by their ids.',
  });
}

function createDamagedQuestionError(place: string): Error {
  return createStoreError('the question is damaged: its text does not match its checksum', {
    place,
    remedy: 'Restore the database from a copy, or cancel the run; questions of other runs can be read by their runs.',
  });
}

function toNullable(text: string | undefined): string | null {
  return text === undefined ? null : escapeText(text);
}
