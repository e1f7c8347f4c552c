import { describeConversation } from '../conversationErrors.js';
import { MAX_APPEND_MS } from '../../../common/limits.js';
import { createEvaluationError, type PromptEvaluationError } from '../../../error/PromptError.js';
import { ToolwrightError } from '../../../error/ToolwrightError.js';
import { messageOf } from '../../../common/text.js';
import { omitUndefined } from '../../../common/objects.js';
import { waitAtMost } from '../../../common/promises.js';
import type { AppendTransaction } from '../../../interface/OutcomeRecord.js';
import type { RunEntry, QuestionReply } from '../../../interface/RunEntry.js';
import type { LogPosition, RunStore, SharedChange, WaitingMessage } from '../../../interface/RunStore.js';
import { createReply } from '../questions.js';
import { withVersion } from './entryFormat.js';
import type { LogFold } from './foldEntries.js';
import { readLog } from './readConversation.js';

/** The store of a log, and the epoch in which it was opened. */
export interface StoredLog {
  readonly store: RunStore;
  readonly epoch: number;
  /** True if messages wait in the store. */
  readonly isSteered?: boolean | undefined;
}

/** The entries of one conversation: in memory, and in a store if there is one. */
export class EntryLog {
  readonly #id: string;
  // Private, so that a logger that prints a conversation does not print the store with its connections.
  readonly #store: RunStore | undefined;
  readonly #epoch: number;
  #entries: RunEntry[];
  /** The number of entries that the store has. */
  #stored: number;
  #failure: Error | undefined;
  /** Changes of the session that the conversation shares, which the next append keeps. */
  #staged: { readonly name: string; readonly changes: SharedChange[] } | undefined;
  /** Resolves when the append in progress has ended: a later one that overtook it would be refused. */
  #appending: Promise<void> | undefined;
  #isSteered: boolean;
  readonly #onSteered = (): void => this.noteSteering();

  constructor(id: string, entries: readonly RunEntry[], stored?: StoredLog) {
    this.#id = id;
    this.#store = stored?.store;
    this.#epoch = stored?.epoch ?? 0;
    this.#entries = [...entries];
    this.#stored = entries.length;
    this.#isSteered = stored?.isSteered === true;
  }

  get entries(): readonly RunEntry[] {
    return this.#entries;
  }

  /** Undefined for a log in memory. */
  get store(): RunStore | undefined {
    return this.#store;
  }

  /** True if another process may go on with it, at any time. */
  get isStored(): boolean {
    return this.#store !== undefined;
  }

  /** Adds an entry, which is stored no later than the next `flush`. */
  add(entry: RunEntry): void {
    this.#entries.push(entry);
  }

  /** Has the next append keep a change of a shared session with the entries, or neither. */
  stageChange(name: string, change: SharedChange): void {
    (this.#staged ??= { name, changes: [] }).changes.push(change);
  }

  /** True if messages may wait in the store, since it was read last. */
  get isSteered(): boolean {
    return this.#isSteered;
  }

  /** Has the run look at the messages in the store at its next boundary. */
  noteSteering(): void {
    this.#isSteered = this.#store?.inbox !== undefined;
  }

  /** Reads the messages that wait for a run in the store. */
  async readInbox(run: string): Promise<readonly WaitingMessage[]> {
    // Before it is read, since another one may come meanwhile.
    this.#isSteered = false;
    return (await this.#store?.inbox?.(this.#id, run)) ?? [];
  }

  /** True if changes of a shared session wait for the next append: until then, other conversations do not know them. */
  get hasStagedChanges(): boolean {
    return this.#staged !== undefined;
  }

  /**
   * Stores the added entries, and resolves once it would survive the process; undefined for a log in memory.
   *
   * @param within ends with the append: committed with the entries, or rolled back
   * @throws PromptEvaluationError E709
   */
  flush(within?: AppendTransaction): Promise<void> | undefined {
    const store = this.#store;
    if (store === undefined) return undefined;
    return this.#enqueue(() => this.#append(store, within));
  }

  /** Begins to store the added entries, without waiting. The next `flush` waits for it, and throws its error. */
  flushAhead(): void {
    if (this.#stored < this.#entries.length) this.flush()?.catch(() => undefined);
  }

  /** True if the store had the entry at a place, from 1, when it was opened or in an append that has succeeded. */
  hasStored(seq: number): boolean {
    return this.#failure === undefined && this.#appending === undefined && this.#stored >= seq;
  }

  /**
   * Adds the end of a run, and stores it with the entries before it, unless messages wait in the store.
   *
   * @returns false if they do: nothing was added or stored
   * @throws PromptEvaluationError E709
   */
  async addEnd(end: RunEntry<'end'>): Promise<boolean> {
    const store = this.#store;
    if (store === undefined) {
      this.add(end);
      return true;
    }
    return this.#enqueue(async () => {
      const stored = this.#stored;
      const session = this.#staged;
      this.#isSteered = false;
      await this.#append(store, undefined, end);
      if (this.isSteered) {
        this.#stored = stored;
        this.#staged = session;
        return false;
      }
      this.add(end);
      this.#stored++;
      return true;
    });
  }

  #enqueue<T>(append: () => Promise<T>): Promise<T> {
    const before = this.#appending;
    const appended = before === undefined ? append() : before.then(append);
    const end = (): void => {
      if (this.#appending === ended) this.#appending = undefined;
    };
    const ended: Promise<void> = appended.then(end, end);
    this.#appending = ended;
    return appended;
  }

  /**
   * Answers a question, in the store or in memory.
   *
   * @param follow gets the entry that was added in memory, or the fold of the entries that the store has afterwards, at the moment
   * at which the entries change
   */
  async reply(
    question: string,
    reply: QuestionReply,
    follow: (change: RunEntry | LogFold) => void,
  ): Promise<'taken' | 'late'> {
    const store = this.#store;
    if (store !== undefined) return this.#enqueue(() => this.#replyInStore(store, question, reply, follow));
    const added = createReply(this.#entries, this.#id, question, reply);
    if (typeof added === 'string') return 'late';
    this.add(added);
    follow(added);
    return 'taken';
  }

  async #replyInStore(
    store: RunStore,
    question: string,
    reply: QuestionReply,
    follow: (change: LogFold) => void,
  ): Promise<'taken' | 'late'> {
    await this.#append(store);
    const taken = await store.reply(this.#id, question, reply);
    // Only read: a worker may have gone on with the run already, and opening the log would shut it out.
    const { fold, entries } = await readLog(store, this.#id);
    if (entries.length > this.#stored) {
      // A run of this object may have added entries meanwhile: they follow.
      const added = this.#entries.slice(this.#stored);
      for (const entry of added) fold.add(entry);
      this.#entries = [...entries, ...added];
      this.#stored = entries.length;
      follow(fold);
    }
    return taken;
  }

  /** @param end is appended unless messages wait for the run */
  async #append(store: RunStore, within?: AppendTransaction, end?: RunEntry<'end'>): Promise<void> {
    // A store that failed once may hold only some of the entries: later ones would leave a gap.
    if (this.#failure !== undefined) {
      await within?.rollback();
      throw this.#failure;
    }
    const waiting = this.#entries.slice(this.#stored);
    const session = this.#staged;
    if (waiting.length === 0 && within === undefined && session === undefined && end === undefined) return;
    const position: LogPosition = omitUndefined({
      conversation: this.#id,
      epoch: this.#epoch,
      after: this.#stored,
      session,
      onSteered: store.inbox === undefined ? undefined : this.#onSteered,
      unlessSteered: store.inbox === undefined || end === undefined ? undefined : true,
    });
    this.#stored += waiting.length;
    this.#staged = undefined;
    const entries = end === undefined ? waiting : [...waiting, end];
    try {
      const appending = (async () => store.append(position, entries.map(withVersion), within))();
      if (!(await waitAtMost(appending, MAX_APPEND_MS)))
        throw createUnwritableError(this.#id, `it took more than ${String(MAX_APPEND_MS)} ms`);
    } catch (cause) {
      this.#failure = cause instanceof ToolwrightError ? cause : createUnwritableError(this.#id, cause);
      throw this.#failure;
    }
  }
}

function createUnwritableError(id: string, cause: unknown): PromptEvaluationError {
  // Without the remedy of the cause, which is not the remedy of this error.
  const [problem = ''] = messageOf(cause).split('\n', 1);
  const place = describeConversation(id);
  return createEvaluationError(`its log could not be written: ${problem}`, {
    phase: 'tool',
    code: 'E709',
    place,
    cause,
  });
}
