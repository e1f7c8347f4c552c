import { requireId, requireOptions, requireValue } from 'toolwright/internal';
import type { ChatChanges, ChatCondition, ChatPage, ChatRecord, ChatRecords, NewChat } from '../records/ChatRecords.js';
import { aTitle, branchesForm, chatChangesForms, chatPageForms } from './optionForms.js';

/** Wraps chats and checks ids, texts and pages before they reach a statement, because SQL would convert wrong values silently. */
export class CheckedChats implements ChatRecords {
  readonly #chats: ChatRecords;
  readonly #place: string;

  /** @param place the name of the chats in messages, such as `SqliteRuns.chats` */
  constructor(chats: ChatRecords, place: string) {
    this.#chats = chats;
    this.#place = place;
  }

  async get(owner: string, id: string): Promise<ChatRecord | undefined> {
    this.#requireIds('get', owner, id);
    return this.#chats.get(owner, id);
  }

  async create(chat: NewChat): Promise<'created' | 'exists'> {
    this.#requireIds('create', chat.owner, chat.id);
    requireValue(`${this.#place}.create`, 'branches', chat.branches, branchesForm);
    requireValue(`${this.#place}.create`, 'title', chat.title, aTitle);
    return this.#chats.create(chat);
  }

  async change(chat: ChatCondition, changes: ChatChanges): Promise<ChatRecord | undefined> {
    this.#requireIds('change', chat.owner, chat.id);
    requireId(`${this.#place}.change`, 'conversation', chat.branch);
    requireOptions(`${this.#place}.change`, changes, chatChangesForms);
    return this.#chats.change(chat, changes);
  }

  async list(owner: string, page: ChatPage = {}): Promise<readonly ChatRecord[]> {
    requireId(`${this.#place}.list`, 'user', owner);
    requireOptions(`${this.#place}.list`, page, chatPageForms);
    return this.#chats.list(owner, page);
  }

  async delete(owner: string, id: string): Promise<boolean> {
    this.#requireIds('delete', owner, id);
    return this.#chats.delete(owner, id);
  }

  #requireIds(method: string, owner: string, id: string): void {
    requireId(`${this.#place}.${method}`, 'user', owner);
    requireId(`${this.#place}.${method}`, 'chat', id);
  }
}
