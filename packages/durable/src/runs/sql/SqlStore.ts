import { hostname } from 'node:os';
import { systemClock } from 'toolwright';
import type {
  AppendTransaction,
  RunEntry,
  LogPosition,
  OpenLog,
  QuestionReply,
  SharedChange,
  SteeringMessage,
  WaitingMessage,
} from 'toolwright/conversations';
import { host, crypto } from 'toolwright/internal/light';
import {
  aCount,
  findAsker,
  foldEntries,
  isKeyViolation,
  listSteered,
  createNoQuestionError,
  oneOf,
  type OptionForms,
  createReply,
  requireId,
  requireOptions,
  requireTenant,
  requireValue,
} from 'toolwright/internal';
import type { ChatRecords } from '../../records/ChatRecords.js';
import type { DurableStore, RunRecord, RunRecords, RunsOverview, WithinChange } from '../../records/RunRecords.js';
import { CheckedChats } from '../CheckedChats.js';
import { CheckedRecords, checkOverview } from '../CheckedRecords.js';
import { ENDED, isOver } from '../runStates.js';
import { aDate } from '../optionForms.js';
import { createOpenRunError, placeOf } from './appendErrors.js';
import { createDamagedCountError, parseEntry, type MessageRow } from './EntryTexts.js';
import { LogRows, type LogRow } from './LogRows.js';
import { LogWriter } from './LogWriter.js';
import { SharedSessions } from './SharedSessions.js';
import { SqlChats } from './SqlChats.js';
import { SqlRecords } from './SqlRecords.js';
import type { SqlSource } from './SqlDatabase.js';
import { escapeText, toTenantKey, unescapeText } from './columnTexts.js';

/** Options of `prune`. */
export interface PruneOptions {
  /**
   * `ended` keeps conversations with a last run that has not ended in the log, for example because it waits for a reply. Conversations
   * of open durable runs are always kept.
   */
  readonly only?: 'ended' | undefined;
}

const pruneForms: OptionForms<PruneOptions> = { only: oneOf('ended') };

/** The conversations and runs of one tenant in an SQL database. Subclasses connect it to one. */
export class SqlStore implements DurableStore {
  readonly tenant: string | null;
  /** The records of the tenant's runs. */
  readonly records: RunRecords;
  /** The chats of the tenant. */
  readonly chats: ChatRecords;
  /** The client of the store. A `PostgresTransactions` on the same pool joins its appends. */
  readonly database: object | undefined;
  /** Calls back soon after another process has written. Returns a function that stops this. Left out if the database cannot tell. */
  declare readonly watch?: (onWrite: () => void) => () => void;
  readonly #source: SqlSource;
  readonly #key: string;
  readonly #logs: LogRows;
  readonly #writer: LogWriter;
  readonly #sessions: SharedSessions;

  /** @internal */
  constructor(source: SqlSource, tenant: string | null = null) {
    this.tenant = tenant;
    this.#source = source;
    this.#key = toTenantKey(tenant);
    this.#logs = new LogRows(source, tenant);
    this.#sessions = new SharedSessions(source, tenant);
    this.#writer = new LogWriter(this.#logs, this.#sessions);
    this.database = source.database;
    if (source.sql.watch !== undefined) this.watch = source.sql.watch.bind(source.sql);
    const records = new SqlRecords(source, tenant, (run, question, reply, within) =>
      this.#answer(run.conversation, question, reply, { run, within }),
    );
    this.records = new CheckedRecords(records, `${source.name}.records`);
    this.chats = new CheckedChats(new SqlChats(source, tenant), `${source.name}.chats`);
  }

  /** The runs of all tenants, for operators. */
  get acrossTenants(): RunsOverview {
    return checkOverview(SqlRecords.acrossTenants(this.#source), `${this.#source.name}.acrossTenants`);
  }

  /**
   * Returns the store of another tenant in the same database. The data of other tenants does not exist there.
   *
   * @throws PromptEvaluationError E709 for anything but a text or null, and for an empty text
   */
  forTenant(tenant: string | null): DurableStore {
    requireTenant(`${this.#source.name}.forTenant`, tenant);
    return new SqlStore(this.#source, tenant);
  }

  /**
   * Opens a log. Reads the whole log before it raises the epoch, so that a failed opening does not shut out a writer.
   *
   * @throws PromptEvaluationError E709 if the database fails, its tables have a newer version, or the log cannot be read
   */
  async open(conversation: string): Promise<OpenLog> {
    const [before] = await this.#logs.run<LogRow>('state', conversation, []);
    const read = before === undefined ? [] : await this.entries(conversation);
    requireCount(conversation, before?.count ?? 0, read.length);
    const writer = `process ${String(host.pid)} of ${hostname()}`;
    // A run that begins has no call before its answer is on the disk, and the epoch with it. One that goes on may begin with a call.
    const options = { defersSync: read.length === 0 || read.at(-1)?.kind === 'end' };
    const [opened] = await this.#logs.run<LogRow>('open', conversation, [chooseFirstEpoch(), writer], options);
    const epoch = Number(opened?.epoch);
    // If the epoch is not the next one, the log may have been deleted and created again meanwhile.
    const kept = before !== undefined && epoch === Number(before.epoch) + 1 ? read : [];
    const entries = [...kept, ...(opened?.count === kept.length ? [] : await this.entries(conversation, kept.length))];
    requireCount(conversation, opened?.count, entries.length);
    return { epoch, entries, isSteered: Number(opened?.waiting) > 0 };
  }

  /**
   * Appends entries to a log.
   *
   * @throws PromptEvaluationError E709 if another writer has opened the log since, other entries are at this place, or writing fails; E755
   * if the shared session has another version
   */
  async append(position: LogPosition, entries: readonly RunEntry[], within?: AppendTransaction): Promise<void> {
    requireId(`${this.#source.name}.append`, 'conversation', position.conversation);
    await this.#writer.append(position, entries, within);
  }

  /**
   * Keeps a message for the model until a run hears it.
   *
   * @returns `late` if the run has ended or does not exist, or a message of this id has come before
   * @throws PromptEvaluationError E709 for anything but ids, or if the database fails
   */
  async steer(
    { id: run, conversation }: Pick<RunRecord, 'id' | 'conversation'>,
    message: SteeringMessage,
  ): Promise<'taken' | 'late'> {
    requireId(`${this.#source.name}.steer`, 'run', run);
    requireId(`${this.#source.name}.steer`, 'conversation', conversation);
    requireId(`${this.#source.name}.steer`, 'message', message.id);
    for (;;) {
      const record = await this.records.get(run);
      if (record === undefined || ENDED.has(record.status) || record.conversation !== conversation) return 'late';
      const [log] = await this.#logs.run<LogRow>('state', conversation, []);
      const entries = await this.entries(conversation);
      requireCount(conversation, log?.count ?? 0, entries.length);
      const waiting = await this.#readInbox(conversation, null);
      if ([...listSteered(entries), ...waiting.map(({ id }) => id)].includes(message.id)) return 'late';
      const texts = await this.#logs.texts.writeMessage(conversation, run, message);
      const values = [escapeText(run), entries.length, escapeText(message.id), ...texts, chooseFirstEpoch()];
      try {
        // The statement is not repeated, because after a lost acknowledgement the second attempt would be late.
        if ((await this.#logs.run('steer', conversation, values, { repeats: false })).length > 0) return 'taken';
      } catch (error) {
        // The same message came at the same time.
        if (!isKeyViolation(error)) throw error;
      }
    }
  }

  /** Reads the messages that wait for a run. @throws PromptEvaluationError E709 for a failing database or damaged data */
  async inbox(conversation: string, run: string): Promise<readonly WaitingMessage[]> {
    return this.#readInbox(conversation, run);
  }

  /** @param run the run that hears them; null for the messages to all runs */
  async #readInbox(conversation: string, run: string | null): Promise<readonly WaitingMessage[]> {
    const rows = await this.#logs.run<MessageRow>('inbox', conversation, [run === null ? null : escapeText(run)]);
    return Promise.all(rows.map((row) => this.#logs.texts.readMessage(conversation, row)));
  }

  /** Reads changes of a shared session. @throws PromptEvaluationError E709 for a failing database or damaged data; PromptError E413 */
  async sessionChanges(name: string, after = 0): Promise<readonly SharedChange[]> {
    requireId(`${this.#source.name}.sessionChanges`, 'session', name);
    requireValue(`${this.#source.name}.sessionChanges`, 'after', after, aCount);
    return this.#sessions.read(name, after);
  }

  /**
   * Empties a shared session for good: removes its changes, and leaves one without content, so that conversations which have read it
   * notice.
   *
   * @throws PromptEvaluationError E709 if the database fails
   */
  async clearSession(name: string): Promise<void> {
    requireId(`${this.#source.name}.clearSession`, 'session', name);
    await this.#sessions.clear(name);
  }

  /** Deletes a shared session. @throws PromptEvaluationError E709 if the database fails */
  async deleteSession(name: string): Promise<void> {
    requireId(`${this.#source.name}.deleteSession`, 'session', name);
    await this.#sessions.delete(name);
  }

  /**
   * Answers a question of a conversation. If a durable run asked it, the run is queued in the same write.
   *
   * @param question the id of the question
   * @returns `late` also after the time of the run is over (`expireMs` of `openRuns`)
   * @throws PromptEvaluationError E709 if the question was never asked, or the database fails; E735
   */
  reply(conversation: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    return this.#answer(conversation, question, reply);
  }

  /** Reads the entries of a log. @throws PromptEvaluationError E709 for a failing database or damaged data; PromptError E413 */
  async entries(conversation: string, after = 0): Promise<readonly RunEntry[]> {
    requireValue(`${this.#source.name}.entries`, 'after', after, aCount);
    const texts = await this.#logs.readTexts(conversation, after);
    return texts.map((text, index) => parseEntry(text, conversation, after + index));
  }

  /** Lists the ids of all conversations. @throws PromptEvaluationError E709 if the database fails */
  async list(): Promise<readonly string[]> {
    const rows = await this.#source.sql.run<{ conversation: string }>('conversations', [this.#key]);
    return rows.map(({ conversation }) => unescapeText(conversation));
  }

  /** Deletes a conversation. @throws PromptEvaluationError E709 if the database fails; E746 if one of its runs has not ended */
  async delete(conversation: string): Promise<void> {
    // A run may be open for the first statement and have ended before it is looked for, so the statement is repeated once.
    for (let attempt = 1; attempt <= 2; attempt++) {
      if ((await this.#logs.run('delete', conversation, [])).length > 0) return;
      const open = await this.records.head(conversation);
      if (open !== undefined) throw createOpenRunError(open);
    }
  }

  /**
   * Deletes the conversations without writes since a time, with the records of their runs.
   *
   * @returns the number of deleted conversations
   * @throws PromptError E413 for anything but a valid date, or another `only`; PromptEvaluationError E709 if the database fails
   */
  async prune(before: Date, options: PruneOptions = {}): Promise<number> {
    const { name, sql } = this.#source;
    requireOptions(`${name}.prune`, options, pruneForms);
    requireValue(`${name}.prune`, 'before', before, aDate);
    const due: string[] = [];
    for (const { conversation: key } of await sql.run<{ conversation: string }>('writtenBefore', [this.#key, before])) {
      const isOpen = async (): Promise<boolean> =>
        foldEntries(await this.entries(unescapeText(key))).open !== undefined;
      if (options.only !== 'ended' || !(await isOpen())) due.push(key);
    }
    return (await sql.run('deleteWrittenBefore', [this.#key, before, due])).length;
  }

  async #answer(
    conversation: string,
    question: string,
    reply: QuestionReply,
    { run, within }: { readonly run?: RunRecord; readonly within?: WithinChange | undefined } = {},
  ): Promise<'taken' | 'late'> {
    requireId(`${this.#source.name}.reply`, 'question', question);
    for (let last: LogRow | undefined; ;) {
      const [log] = await this.#logs.run<LogRow>('state', conversation, []);
      if (log === undefined) throw createNoQuestionError(placeOf(conversation), question);
      const entries = await this.entries(conversation);
      // If the log is the same at two attempts, no other writer is the cause.
      if (log.count === last?.count && String(log.epoch) === String(last.epoch))
        throw createDamagedCountError(conversation, log.count, entries.length);
      last = log;
      if (entries.length !== log.count) continue;
      const answer = createReply(entries, conversation, question, reply, run?.id);
      const now = systemClock.now();
      // No run waits for a denial to be lifted, so none is queued.
      const isLift = answer !== 'late' && answer.reply.kind === 'lifted';
      const asker = isLift ? '' : (run?.id ?? findAsker(entries, question) ?? '');
      if (answer === 'late' || (run === undefined && (await this.#isOver(asker, now)))) return 'late';
      const written = await this.#logs.texts.write(conversation, log.count, [answer]);
      // Without the record, the reply did not come through `runs`, so their engine does not know about it.
      const enqueueAt = run === undefined ? now : null;
      const values = [log.epoch, log.count, ...written, question, escapeText(asker), now, enqueueAt];
      // The statement is not repeated, because after a lost acknowledgement the second attempt would be late.
      if ((await this.#logs.run('reply', conversation, values, { repeats: false, within })).length > 0) return 'taken';
    }
  }

  /** Checks whether a run has waited for too long. @param id an empty text for a conversation without a run */
  async #isOver(id: string, now: number): Promise<boolean> {
    const record = id === '' ? undefined : await this.records.get(id);
    return isOver(record, now);
  }
}

/** Checks that no entry is missing. Replies may be added while a log is read. @throws PromptEvaluationError E709 */
function requireCount(conversation: string, count: unknown, found: number): void {
  if (!(found >= Number(count))) throw createDamagedCountError(conversation, count, found);
}

/** Chooses an epoch above every epoch of an earlier log of the same conversation, so that writers of a deleted log stay shut out. */
function chooseFirstEpoch(): number {
  const THOUSAND = 1_000;
  return systemClock.now() * THOUSAND + crypto().randomInt(THOUSAND);
}
