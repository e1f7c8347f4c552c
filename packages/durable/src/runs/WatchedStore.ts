import type {
  AppendTransaction,
  RunEntry,
  LogPosition,
  OpenLog,
  QuestionReply,
  RunStore,
  SharedChange,
  WaitingMessage,
} from 'toolwright/conversations';
import type { DurableStore } from '../records/RunRecords.js';
import type { Changes } from './Changes.js';

/** Wraps a store and reports each append of this process. */
export class WatchedStore
  implements RunStore, Pick<DurableStore, 'inbox' | 'sessionChanges' | 'clearSession' | 'deleteSession'>
{
  readonly #store: DurableStore;
  readonly #changes: Changes;

  constructor(store: DurableStore, changes: Changes) {
    this.#store = store;
    this.#changes = changes;
  }

  get database(): object | undefined {
    return this.#store.database;
  }

  open(conversation: string): Promise<OpenLog> {
    return this.#store.open(conversation);
  }

  async append(position: LogPosition, entries: readonly RunEntry[], within?: AppendTransaction): Promise<void> {
    await this.#store.append(position, entries, within);
    this.#changes.notifyAppended({ tenant: this.#store.tenant, conversation: position.conversation });
  }

  inbox(conversation: string, run: string): Promise<readonly WaitingMessage[]> {
    return this.#store.inbox(conversation, run);
  }

  async reply(conversation: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    const taken = await this.#store.reply(conversation, question, reply);
    this.#changes.notify({ tenant: this.#store.tenant, conversation });
    return taken;
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
}
