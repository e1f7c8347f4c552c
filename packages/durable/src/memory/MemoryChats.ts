import { systemClock } from 'toolwright';
import type { ChatChanges, ChatCondition, ChatPage, ChatRecord, ChatRecords, NewChat } from '../records/ChatRecords.js';
import { DEFAULT_PAGE_RECORDS } from '../limits.js';
import { copyJson, type TenantMemory } from './MemoryStorage.js';

/** The chats of a tenant in memory. */
export class MemoryChats implements ChatRecords {
  readonly #memory: TenantMemory;

  constructor(memory: TenantMemory) {
    this.#memory = memory;
  }

  get(owner: string, id: string): Promise<ChatRecord | undefined> {
    return Promise.resolve(this.#find(owner, id));
  }

  create({ owner, id, branches, title }: NewChat): Promise<'created' | 'exists'> {
    if (this.#find(owner, id) !== undefined) return Promise.resolve('exists');
    const now = this.#nextTime(owner);
    this.#put({ owner, id, branches, title, createdAt: now, changedAt: now });
    return Promise.resolve('created');
  }

  change({ owner, id, branch }: ChatCondition, changes: ChatChanges): Promise<ChatRecord | undefined> {
    const chat = this.#find(owner, id);
    if (chat?.branches.at(-1) !== branch) return Promise.resolve(undefined);
    return Promise.resolve(this.#put({ ...chat, ...copyJson(changes), changedAt: this.#nextTime(owner) }));
  }

  list(
    owner: string,
    { before = Infinity, limit = DEFAULT_PAGE_RECORDS }: ChatPage = {},
  ): Promise<readonly ChatRecord[]> {
    const chats = this.#chatsOf(owner).filter(({ changedAt }) => changedAt < before);
    return Promise.resolve(chats.sort((one, other) => other.changedAt - one.changedAt).slice(0, limit));
  }

  delete(owner: string, id: string): Promise<boolean> {
    return Promise.resolve(this.#memory.chats.get(owner)?.delete(id) ?? false);
  }

  #find(owner: string, id: string): ChatRecord | undefined {
    return this.#memory.chats.get(owner)?.get(id);
  }

  #chatsOf(owner: string): ChatRecord[] {
    return [...(this.#memory.chats.get(owner)?.values() ?? [])];
  }

  #put(chat: ChatRecord): ChatRecord {
    const chats = this.#memory.chats.get(chat.owner) ?? new Map<string, ChatRecord>();
    this.#memory.chats.set(chat.owner, chats);
    const copy = copyJson(chat);
    chats.set(chat.id, copy);
    return copy;
  }

  /** The times of an owner's chats differ, so that a page ends between two of them. */
  #nextTime(owner: string): number {
    return Math.max(systemClock.now(), ...this.#chatsOf(owner).map(({ changedAt }) => changedAt + 1));
  }
}
