import type {
  RunEntry,
  LogPosition,
  OpenLog,
  QuestionReply,
  SharedChange,
  WaitingMessage,
} from 'toolwright/conversations';
import type { ChatRecords, DurableStore, RunRecords, RunsOverview } from '@toolwright/durable';

/** What happens at the n-th entry that a worker appends: its process ends before it or after it, or it is not told that it was written. */
export interface StoreFault {
  readonly at: number;
  readonly kind: 'before' | 'after' | 'unacknowledged';
}

/**
 * The store of a worker that comes to a fault, over another one. After `before` and `after` it writes nothing any more, as if its
 * process had ended.
 */
export class FaultyRuns implements DurableStore {
  readonly records: RunRecords;
  readonly chats: ChatRecords;
  readonly #store: DurableStore;
  readonly #fault: StoreFault;
  #written = 0;
  #isDead = false;
  /** True once the fault has happened. */
  happened = false;

  constructor(store: DurableStore, fault: StoreFault) {
    this.records = store.records;
    this.chats = store.chats;
    this.#store = store;
    this.#fault = fault;
  }

  async append(position: LogPosition, entries: readonly RunEntry[]): Promise<void> {
    if (this.#isDead) throw new DeadProcess();
    const { at, kind } = this.#fault;
    const isNow = !this.happened && this.#written < at && this.#written + entries.length >= at;
    this.#written += entries.length;
    if (isNow) this.happened = true;
    if (isNow && kind === 'before') this.#die();
    await this.#store.append(position, entries);
    if (isNow && kind === 'unacknowledged') throw new TypeError('the acknowledgement was lost');
    if (isNow) this.#die();
  }

  open(conversation: string): Promise<OpenLog> {
    return this.#store.open(conversation);
  }

  get tenant(): string | null {
    return this.#store.tenant;
  }

  get acrossTenants(): RunsOverview {
    return this.#store.acrossTenants;
  }

  /** @throws RangeError for another tenant: a fault happens in one store */
  forTenant(tenant: string | null): DurableStore {
    if (tenant !== this.tenant) throw new RangeError('another tenant');
    return this;
  }

  reply(conversation: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    return this.#store.reply(conversation, question, reply);
  }

  steer(...given: Parameters<DurableStore['steer']>): Promise<'taken' | 'late'> {
    return this.#store.steer(...given);
  }

  inbox(conversation: string, run: string): Promise<readonly WaitingMessage[]> {
    return this.#store.inbox(conversation, run);
  }

  entries(conversation: string, after?: number): Promise<readonly RunEntry[]> {
    return this.#store.entries(conversation, after);
  }

  list(): Promise<readonly string[]> {
    return this.#store.list();
  }

  delete(conversation: string): Promise<void> {
    return this.#store.delete(conversation);
  }

  sessionChanges(name: string, after?: number): Promise<readonly SharedChange[]> {
    return this.#store.sessionChanges(name, after);
  }

  clearSession(name: string): Promise<void> {
    return this.#store.clearSession(name);
  }

  deleteSession(name: string): Promise<void> {
    return this.#store.deleteSession(name);
  }

  #die(): never {
    this.#isDead = true;
    throw new DeadProcess();
  }
}

/** Stands for the end of a process: what a worker does with it is not looked at. */
class DeadProcess extends Error {
  override readonly name = 'DeadProcess';
}
