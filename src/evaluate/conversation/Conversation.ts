import { randomId } from '../../common/builtins.js';
import { brand } from '../../common/brand.js';
import { requireOptionNames } from '../../error/optionNames.js';
import { requireId } from '../../error/requireId.js';
import type { RunEntry, QuestionReply } from '../../interface/RunEntry.js';
import type { RunStore, SteeringMessage } from '../../interface/RunStore.js';
import type { Session } from '../../session/Session.js';
import type { Message } from '../../value/Message.js';
import { checkMessages } from '../check/checkMessages.js';
import { listOpenQuestions, removeOpenQuestions } from './questions.js';
import { conversationOptionNames, type ConversationOptions, type ForkOptions } from './ConversationOptions.js';
import { createNoSuchRunError, createRefusal } from './conversationErrors.js';
import { ConversationPrefix } from './prefix/ConversationPrefix.js';
import { findEntryExcess } from './log/findEntryExcess.js';
import { EntryLog, type StoredLog } from './log/EntryLog.js';
import { withVersion } from './log/entryFormat.js';
import { LogFold, type FoldedLog } from './log/foldEntries.js';
import {
  openLog,
  readConversation,
  type ConversationJson,
  type ConversationJsonBounds,
} from './log/readConversation.js';
import { SentTools } from './prefix/SentTools.js';
import { SessionLink, type StateLink } from './session/SessionLink.js';
import type { ChangeSource, SharedSessionLink } from './session/SharedSessionLink.js';
import { createNoMemoryError, keepsMemory, nameUserSession } from './session/userMemory.js';
import { requireUser, UserSessionLink } from './session/UserSessionLink.js';
import { SteeringQueue } from './SteeringQueue.js';

interface Source {
  readonly entries?: readonly RunEntry[];
  /** The fold of the entries, if they were folded already. */
  readonly fold?: LogFold;
  readonly stored?: StoredLog;
  /** False for a log that is never read. */
  readonly keeps?: boolean;
}

/**
 * A conversation with a model: a log that runs append to, and that nothing rewrites. Each request of it begins with the request
 * before, in this process or in another (docs/contract.md, 17).
 *
 * @example
 * const conversation = await Conversation.open(new SqliteRuns('./runs.db'), 'c-17');
 * await app.evaluate(prompt, { adapter, session, conversation, messages: [{ role: 'user', content: 'And tomorrow?' }] });
 */
export class Conversation {
  readonly id: string;
  /** @internal */
  readonly options: ConversationOptions;
  /** @internal */
  readonly log: EntryLog;
  /** Its tools as its requests have them. @internal */
  readonly tools: SentTools;
  /** Messages to the run that goes on. @internal */
  readonly steering: SteeringQueue;
  /** Its requests, each beside the one before it. @internal */
  readonly prefix = new ConversationPrefix();
  /** False for the conversation of a run that belongs to none. @internal */
  readonly isKept: boolean;
  #fold: LogFold;
  #link: SessionLink | undefined;
  #shared: SharedSessionLink | UserSessionLink | undefined;
  #isBusy = false;
  #isReleased = false;
  /** The sections that are known to read differently now. */
  #drift = '';

  constructor(options?: ConversationOptions);
  /** @internal */
  constructor(options: ConversationOptions | undefined, source: Source);
  constructor(options: ConversationOptions = {}, { entries = [], fold, stored, keeps = true }: Source = {}) {
    requireOptionNames('Conversation', options, conversationOptionNames);
    const { id = randomId() } = options;
    if (keeps) requireId('Conversation', 'conversation', id);
    this.id = id;
    this.options = options;
    this.isKept = keeps;
    this.tools = new SentTools(keeps);
    this.log = new EntryLog(id, entries, stored);
    this.steering = new SteeringQueue(entries);
    this.#fold = fold ?? new LogFold(entries);
  }

  /**
   * Opens a conversation of a store, a new one if it has none of this id, and becomes its only writer. It reads the entries first, in
   * pieces between which other work of the process gets its turn: if they cannot be read, the writer of before stays the writer.
   *
   * @throws PromptEvaluationError E709 for anything but an id, and if it cannot be read
   */
  static async open(store: RunStore, id: string, options: Omit<ConversationOptions, 'id'> = {}): Promise<Conversation> {
    requireId('Conversation.open', 'conversation', id);
    const { epoch, isSteered, ...read } = await openLog(store, id);
    return new Conversation({ ...options, id }, { ...read, stored: { store, epoch, isSteered } });
  }

  /**
   * Reads a conversation that `toJSON` wrote. It answers at once, and holds the event loop for a time that grows with the size of
   * the JSON alone: about a tenth of a second for 30,000 entries.
   *
   * @throws PromptEvaluationError E709 with the first place that does not fit, and for more entries than `maxEntries`
   */
  static fromJSON(json: unknown, given: Omit<ConversationOptions, 'id'> & ConversationJsonBounds = {}): Conversation {
    const { maxEntries, ...options } = given;
    const { id, ...read } = readConversation(json, maxEntries);
    return new Conversation({ ...options, id }, read);
  }

  /** Makes the conversation of a run that was given none: it keeps nothing. @internal */
  static once(): Conversation {
    return new Conversation({ id: '', session: 'apart' }, { keeps: false });
  }

  /** What was sent so far, with the system message; secrets are as they were sent. */
  get messages(): readonly Message[] {
    return this.state.messages.slice();
  }

  /** Returns the messages of the next request, in a new list: the messages of an open run are included. @internal */
  get nextMessages(): readonly Message[] {
    return this.markMessages()();
  }

  /**
   * Returns a function that lists the messages of the next request as they are now. A run marks them after each step, and only one
   * that fails, or whose transcript is read, needs the list.
   *
   * @internal
   */
  markMessages(): () => readonly Message[] {
    const { messages, open } = this.state;
    if (open !== undefined) return open.markMessages(messages);
    const { length } = messages;
    return () => messages.slice(0, length);
  }

  /** The questions of a parked run that wait for `reply`. */
  get questions(): readonly RunEntry<'question'>[] {
    return listOpenQuestions(this.log.entries);
  }

  /** The state of the conversation, computed from its entries. @internal */
  get state(): FoldedLog {
    return this.#fold.state;
  }

  /** @throws PromptEvaluationError E709 for an entry that could not be read again @internal */
  enter(entry: RunEntry): void {
    this.#requireReadable(entry);
    this.log.add(entry);
    if (entry.kind === 'answer') this.prefix.noteAnswer(this.log.entries.length - 1);
    this.#fold.add(entry);
  }

  /**
   * Enters the end of a run and stores it, unless messages wait that the run has to send first.
   *
   * @returns false if they do
   * @throws PromptEvaluationError E709
   *
   * @internal
   */
  async enterEnd(end: RunEntry<'end'>): Promise<boolean> {
    this.#requireReadable(end);
    if (this.steering.waiting.length > 0 || !(await this.log.addEnd(end))) return false;
    this.#fold.add(end);
    return true;
  }

  /** True if messages wait for a run, or may wait in the store. @internal */
  get mayBeSteered(): boolean {
    return this.log.isSteered || this.steering.waiting.length > 0;
  }

  /** Reads the messages that wait for a run in the store, if there may be any. @internal */
  async readInbox(run: string): Promise<void> {
    if (this.log.isSteered) for (const message of await this.log.readInbox(run)) this.steering.add(message);
  }

  #requireReadable(entry: RunEntry): void {
    const excess = this.isKept ? findEntryExcess(entry) : undefined;
    if (excess !== undefined)
      throw createRefusal(this.id, `the entry "${entry.kind}" cannot be recorded: ${excess}`, 'E709');
  }

  /**
   * Answers a question of the parked run, which goes on with the next `app.evaluate` without messages.
   *
   * @param question the id of the question
   * @returns `late` if it was answered before, or its run has ended
   * @throws PromptEvaluationError E735 for a reply that does not fit the question
   */
  reply(question: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    return this.log.reply(question, reply, (change) => {
      if (change instanceof LogFold) this.#fold = change;
      else this.#fold.add(change);
    });
  }

  /**
   * Writes to the model while a run of this object goes on. The run sends the message with its next request: after the calls of a turn,
   * or, where its answer would have been the last, with one more request. Without a run, the next one begins with it.
   *
   * @param text the message of a person
   * @param id names the message: a message that comes twice, from a client that repeats its request, is taken once
   * @returns `late` for a message that came before
   * @throws PromptError E412 unless it is a text; PromptEvaluationError E709 for anything but an id
   *
   * @example
   * conversation.steer('Only the blue one, please.');
   */
  steer(text: string, { id = randomId() }: { readonly id?: string | undefined } = {}): 'taken' | 'late' {
    requireId('conversation.steer', 'message', id);
    const [message] = checkMessages('conversation.steer', [{ role: 'user', content: text }]);
    return this.steering.add({ id, message: message as SteeringMessage['message'] }) ? 'taken' : 'late';
  }

  /**
   * Copies the conversation, or what was before one of its runs, into a new one in memory. The state of its session is as it was
   * then: pass an empty session to its next run. Calls that wait for an approval, or have one and have not ended, ask anew in the copy.
   *
   * @throws PromptEvaluationError E727 if there is no such run, E709 for anything but an id
   */
  fork({ before, id = randomId() }: ForkOptions = {}): Conversation {
    const { entries } = this.log;
    const start = entries.findIndex((entry) => entry.kind === 'run' && entry.run === before);
    if (before !== undefined && start < 0) throw createNoSuchRunError(this.id, before, entries);
    const kept = removeOpenQuestions(this.#copyEntries(before === undefined ? entries : entries.slice(0, start)));
    const renamed = kept.map((entry) => (entry.kind === 'conversation' ? { ...entry, id } : entry));
    return new Conversation({ ...this.options, id }, { entries: renamed });
  }

  /**
   * The end of a run, and the conversation as it was just before, which is kept nowhere: its responses are the recorded ones.
   * Undefined for a run that has not ended, or not begun.
   *
   * @internal
   */
  findEndedRun(run: string): { readonly end: RunEntry<'end'>; readonly before: Conversation } | undefined {
    const { entries } = this.log;
    const at = entries.findIndex((entry) => entry.kind === 'end' && entry.run === run);
    const end = entries[at];
    if (end?.kind !== 'end') return undefined;
    return {
      end,
      before: new Conversation({ id: this.id, session: 'apart' }, { entries: entries.slice(0, at), keeps: false }),
    };
  }

  /** The whole record, secrets included; `fromJSON` reads it. */
  toJSON(): ConversationJson {
    const entries = this.#copyEntries(this.log.entries).map(withVersion);
    return { format: 'toolwright/conversation', version: 1, id: this.id, entries };
  }

  #copyEntries(entries: readonly RunEntry[]): readonly RunEntry[] {
    return this.log.isStored ? entries : this.prefix.entriesToCopy(entries);
  }

  /** True the first time that it is asked for these sections. @internal */
  driftsNow(sections: readonly string[]): boolean {
    const drift = sections.join();
    if (drift === this.#drift) return false;
    this.#drift = drift;
    return true;
  }

  /**
   * Does the work of a run. Only one run at a time can go on.
   *
   * @throws PromptEvaluationError E728 while another run goes on; errors of `work`, unchanged
   *
   * @internal
   */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy)
      throw createRefusal(this.id, 'it has a run that has not ended; only one at a time can go on', 'E728');
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#isBusy = false;
    }
  }

  /** True once its run is to stop before its next request or call, and stay open for another worker. @internal */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** @internal */
  release(): void {
    this.#isReleased = true;
  }

  /** Has runs keep the state of a session under its name, beside the log. @internal */
  shareSession(link: SharedSessionLink): void {
    this.#shared = link;
  }

  /**
   * Gives the slices of the user in a session their state, and has runs keep it in the store.
   *
   * @param source of the state; by default the store of the conversation
   * @throws PromptEvaluationError E758 without a principal, E759 if nothing can keep the state, E810, E709
   *
   * @internal
   */
  async openMemory(session: Session, principal: unknown, source?: ChangeSource): Promise<UserSessionLink> {
    const name = nameUserSession('runMetadata.principal', principal);
    if (this.#shared instanceof UserSessionLink && this.#shared.isOf(session)) {
      requireUser(this.log.entries, name);
      await this.#shared.refresh();
      return this.#shared;
    }
    const store = source ?? this.log.store;
    if (store === undefined || !keepsMemory(store)) throw createNoMemoryError(...this.#describeNoMemory());
    const own = this.#linkOwn(session);
    this.#shared = await UserSessionLink.open(store, name, { session, log: this.log, own });
    return this.#shared;
  }

  #describeNoMemory(): readonly [place: string, problem: string] {
    if (!this.isKept) return ['app.evaluate', "slices with scope 'user' need a conversation, and the run has none"];
    const problem = this.log.isStored ? 'its store has no shared sessions' : 'it is not in a store';
    return [`conversation ${this.id}`, `slices with scope 'user' cannot be kept: ${problem}`];
  }

  /** Links the session of a run; undefined if the host keeps its state. @internal */
  link(session: Session): StateLink | undefined {
    return this.#shared?.isOf(session) === true ? this.#shared : this.#linkOwn(session);
  }

  #linkOwn(session: Session): SessionLink | undefined {
    const { session: place = 'within', sharesSession = false } = this.options;
    if (place === 'apart') return undefined;
    if (this.#link?.isOf(session) !== true)
      this.#link = SessionLink.of(session, this.id, this.log.entries, sharesSession);
    return this.#link;
  }
}
brand(Conversation, 'Conversation');
