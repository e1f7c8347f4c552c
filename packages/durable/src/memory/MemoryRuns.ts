import { systemClock } from 'toolwright';
import type {
  LogPosition,
  OpenLog,
  QuestionReply,
  RunEntry,
  SessionDelta,
  SharedChange,
  SteeringMessage,
  WaitingMessage,
} from 'toolwright/conversations';
import { host } from 'toolwright/internal/light';
import {
  aCount,
  createReply,
  findAsker,
  listSteered,
  requireId,
  requireTenant,
  requireValue,
} from 'toolwright/internal';
import type { ChatRecords } from '../records/ChatRecords.js';
import type { DurableStore, RunRecord, RunRecords, RunsOverview } from '../records/RunRecords.js';
import { CheckedChats } from '../runs/CheckedChats.js';
import { checkOverview, CheckedRecords } from '../runs/CheckedRecords.js';
import { ENDED, isOver } from '../runs/runStates.js';
import {
  createAppendError,
  createNoLogError,
  createOpenRunError,
  createOtherEntriesError,
  createVersionError,
  requireSteps,
} from '../runs/sql/appendErrors.js';
import { writeEntry } from '../runs/sql/EntryTexts.js';
import { MemoryChats } from './MemoryChats.js';
import { findHead, MemoryRecords } from './MemoryRecords.js';
import { MemoryStorage, type MemoryChange, type TenantMemory } from './MemoryStorage.js';

/**
 * A store of conversations and runs in the memory of this process, for tests and first steps. It keeps nothing when the process ends.
 *
 * @example
 * const runs = await openRuns(app, { store: new MemoryRuns(), prepare });
 */
export class MemoryRuns implements DurableStore {
  readonly tenant: string | null;
  /** The records of the tenant's runs. */
  readonly records: RunRecords;
  /** The chats of the tenant. */
  readonly chats: ChatRecords;
  /** @internal */
  readonly memory: TenantMemory;

  constructor();
  /** @internal */
  constructor(storage: MemoryStorage, tenant: string | null);
  constructor(storage = new MemoryStorage(), tenant: string | null = null) {
    this.tenant = tenant;
    this.memory = storage.of(tenant);
    const records = new MemoryRecords(this.memory, (run, question, reply) =>
      this.#answer(run.conversation, question, reply, run.id),
    );
    this.records = new CheckedRecords(records, 'MemoryRuns.records');
    this.chats = new CheckedChats(new MemoryChats(this.memory), 'MemoryRuns.chats');
  }

  /** The runs of all tenants, for operators. */
  get acrossTenants(): RunsOverview {
    return checkOverview(MemoryRecords.acrossTenants(this.memory.storage), 'MemoryRuns.acrossTenants');
  }

  /**
   * Returns the store of another tenant in the same memory. The data of other tenants does not exist there.
   *
   * @throws PromptEvaluationError E709 for anything but a text or null, and for an empty text
   */
  forTenant(tenant: string | null): MemoryRuns {
    requireTenant('MemoryRuns.forTenant', tenant);
    return new MemoryRuns(this.memory.storage, tenant);
  }

  /** Opens a log, and shuts out its earlier writer. @throws PromptEvaluationError E709 for anything but an id */
  async open(conversation: string): Promise<OpenLog> {
    requireId('MemoryRuns.open', 'conversation', conversation);
    const log = this.memory.createLog(conversation);
    log.epoch = ++this.memory.epochs;
    return {
      epoch: log.epoch,
      entries: this.memory.readEntries(conversation),
      isSteered: log.inbox.length > 0,
    };
  }

  /**
   * Appends entries to a log.
   *
   * @throws PromptEvaluationError E709 if another writer has opened the log since, or other entries are at this place; E755 if the shared
   * session has another version
   */
  async append(position: LogPosition, entries: readonly RunEntry[]): Promise<void> {
    const { conversation, epoch, after, session } = position;
    requireId('MemoryRuns.append', 'conversation', conversation);
    const log = this.memory.logs.get(conversation);
    if (log === undefined) throw createNoLogError(position);
    const texts = entries.map((entry) => writeEntry(entry, conversation));
    const writer = `process ${String(host.pid)}`;
    const refusal = createAppendError(position, entries, { epoch: log.epoch, writer, count: log.entries.length });
    if (refusal !== undefined) throw refusal;
    const isThere = after < log.entries.length;
    if (isThere && texts.some((text, index) => log.entries[after + index] !== text))
      throw createOtherEntriesError(position);
    if (!isThere && position.unlessSteered === true && log.inbox.length > 0) {
      position.onSteered?.();
      return;
    }
    const isRepeated = isThere || texts.length === 0;
    const { name, changes = [] } = session ?? {};
    const written = changes.map(({ version, delta }): MemoryChange => ({
      version,
      delta: JSON.stringify(delta),
      conversation,
      epoch,
    }));
    if (session !== undefined && written.length > 0 && !(isRepeated && this.#hasChanges(session, written))) {
      requireId('MemoryRuns.append', 'session', name);
      requireSteps(conversation, name, changes);
      const known = this.memory.sessions.get(name) ?? [];
      const last = known.at(-1)?.version ?? 0;
      if (isThere || changes[0]?.version !== last + 1) throw createVersionError(conversation, session, last);
      this.memory.sessions.set(name, [...known, ...written]);
    }
    if (!isThere) {
      log.entries.push(...texts);
      const heard = listSteered(entries);
      log.inbox = log.inbox.filter(({ id }) => !heard.includes(id));
      this.#followLog(conversation, entries);
    }
    if (log.inbox.length > 0) position.onSteered?.();
  }

  /**
   * Keeps a message for the model until a run hears it.
   *
   * @returns `late` if the run has ended or does not exist, or a message of this id has come before
   * @throws PromptEvaluationError E709 for anything but ids
   */
  async steer(
    { id: run, conversation }: Pick<RunRecord, 'id' | 'conversation'>,
    { id, message }: SteeringMessage,
  ): Promise<'taken' | 'late'> {
    requireId('MemoryRuns.steer', 'run', run);
    requireId('MemoryRuns.steer', 'conversation', conversation);
    requireId('MemoryRuns.steer', 'message', id);
    const { memory } = this;
    if (!this.#isOpen(run, conversation) || listSteered(memory.readEntries(conversation)).includes(id)) return 'late';
    const log = memory.createLog(conversation);
    if (log.inbox.some((waiting) => waiting.id === id)) return 'late';
    log.inbox = [...log.inbox, { id, run, message: JSON.stringify(message) }];
    return 'taken';
  }

  /** Reads the messages that wait for a run. @throws PromptEvaluationError E709 for anything but ids */
  async inbox(conversation: string, run: string): Promise<readonly WaitingMessage[]> {
    requireId('MemoryRuns.inbox', 'conversation', conversation);
    const waiting = this.memory.logs.get(conversation)?.inbox ?? [];
    return waiting
      .filter((each) => each.run === run || !this.#isOpen(each.run, conversation))
      .map((each) => ({ ...each, message: JSON.parse(each.message) as WaitingMessage['message'] }));
  }

  #isOpen(run: string, conversation: string): boolean {
    return this.memory.runs.some(
      (record) => record.id === run && record.conversation === conversation && !ENDED.has(record.status),
    );
  }

  /** Checks whether a shared session has these changes. */
  #hasChanges({ name, changes }: NonNullable<LogPosition['session']>, written: readonly MemoryChange[]): boolean {
    const first = changes[0]?.version ?? 1;
    const later = (this.memory.sessions.get(name) ?? []).filter(({ version }) => version >= first);
    const there = later.slice(0, written.length);
    return JSON.stringify(there) === JSON.stringify(written);
  }

  /** Changes the records of runs that the entries end or park. */
  #followLog(conversation: string, entries: readonly RunEntry[]): void {
    const { memory } = this;
    for (const entry of entries) {
      if (entry.kind === 'end') {
        const status = entry.how === 'abandoned' ? 'cancelled' : entry.how;
        const ended = { status, problem: entry.problem ?? null, expiresAt: null } as const;
        memory.changeRuns(({ id, status: now }) => id === entry.run && !ENDED.has(now), ended);
      }
      if (entry.kind === 'question') {
        const head = findHead(memory, conversation);
        memory.changeRuns(({ id, status }) => id === head?.id && status === 'running', { status: 'waiting' });
      }
    }
  }

  /** Reads changes of a shared session. @throws PromptEvaluationError E709 for anything but an id; PromptError E413 */
  async sessionChanges(name: string, after = 0): Promise<readonly SharedChange[]> {
    requireId('MemoryRuns.sessionChanges', 'session', name);
    requireValue('MemoryRuns.sessionChanges', 'after', after, aCount);
    const changes = this.memory.sessions.get(name) ?? [];
    return changes
      .filter(({ version }) => version > after)
      .map(({ version, delta }) => ({ version, delta: JSON.parse(delta) as SessionDelta }));
  }

  /** Empties a shared session for good. @throws PromptEvaluationError E709 for anything but an id */
  async clearSession(name: string): Promise<void> {
    requireId('MemoryRuns.clearSession', 'session', name);
    const last = this.memory.sessions.get(name)?.at(-1)?.version;
    if (last === undefined) return;
    const delta = JSON.stringify({ cleared: true });
    this.memory.sessions.set(name, [{ version: last + 1, delta, conversation: '', epoch: 0 }]);
  }

  /** Deletes a shared session. @throws PromptEvaluationError E709 for anything but an id */
  async deleteSession(name: string): Promise<void> {
    requireId('MemoryRuns.deleteSession', 'session', name);
    this.memory.sessions.delete(name);
  }

  /**
   * Answers a question of a conversation. If a durable run asked it, the run is queued in the same write.
   *
   * @param question the id of the question
   * @returns `late` also after the time of the run is over (`expireMs` of `openRuns`)
   * @throws PromptEvaluationError E709 if the question was never asked, E735
   */
  async reply(conversation: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    return this.#answer(conversation, question, reply);
  }

  #answer(conversation: string, question: string, reply: QuestionReply, run?: string): 'taken' | 'late' {
    requireId('MemoryRuns.reply', 'conversation', conversation);
    requireId('MemoryRuns.reply', 'question', question);
    const { memory } = this;
    const entries = memory.readEntries(conversation);
    const answer = createReply(entries, conversation, question, reply, run);
    const now = systemClock.now();
    // No run waits for a denial to be lifted, so none is queued.
    const isLift = answer !== 'late' && answer.reply.kind === 'lifted';
    const asker = isLift ? undefined : (run ?? findAsker(entries, question));
    const isAsker = ({ id }: RunRecord): boolean => id === asker;
    if (answer === 'late' || (run === undefined && isOver(memory.runs.find(isAsker), now))) return 'late';
    memory.logs.get(conversation)?.entries.push(writeEntry(answer, conversation));
    const waits = (each: RunRecord): boolean => isAsker(each) && each.status === 'waiting';
    // Without the record, the reply did not come through `runs`, so their engine does not know about it.
    if (run === undefined) memory.changeRuns(waits, { status: 'queued', expiresAt: now });
    return 'taken';
  }

  /** Reads the entries of a log. @throws PromptEvaluationError E709 for anything but an id; PromptError E413 */
  async entries(conversation: string, after = 0): Promise<readonly RunEntry[]> {
    requireId('MemoryRuns.entries', 'conversation', conversation);
    requireValue('MemoryRuns.entries', 'after', after, aCount);
    return this.memory.readEntries(conversation).slice(after);
  }

  /** Lists the ids of all conversations. */
  async list(): Promise<readonly string[]> {
    return [...this.memory.logs.keys()];
  }

  /** Deletes a conversation. @throws PromptEvaluationError E709 for anything but an id; E746 if one of its runs has not ended */
  async delete(conversation: string): Promise<void> {
    requireId('MemoryRuns.delete', 'conversation', conversation);
    const open = findHead(this.memory, conversation);
    if (open !== undefined) throw createOpenRunError(open);
    this.memory.logs.delete(conversation);
    this.memory.deleteRuns((run) => run.conversation === conversation);
  }
}
