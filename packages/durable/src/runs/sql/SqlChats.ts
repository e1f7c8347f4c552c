import { systemClock, ToolwrightError } from 'toolwright';
import { messageOf, quote } from 'toolwright/internal/light';
import type {
  ChatChanges,
  ChatCondition,
  ChatPage,
  ChatRecord,
  ChatRecords,
  NewChat,
} from '../../records/ChatRecords.js';
import { DEFAULT_PAGE_RECORDS, MAX_RETURNED_RECORDS } from '../../limits.js';
import { computeChecksum, escapeText, toTenantKey, unescapeText } from './columnTexts.js';
import { createStoreError } from './createStoreError.js';
import { formatTitlePlace } from './formatPlaces.js';
import type { SqlSource } from './SqlDatabase.js';

/** A bigint, which some databases return as a text. */
type Big = string | number;

interface ChatRow {
  readonly owner: string;
  readonly id: string;
  readonly created: Big;
  readonly changed: Big;
  readonly sum: string;
  readonly branches: string;
  readonly title: string | null;
}

/** The chats of a tenant in an SQL database. */
export class SqlChats implements ChatRecords {
  readonly #source: Pick<SqlSource, 'sql' | 'cipher'>;
  readonly #tenant: string | null;

  constructor(source: Pick<SqlSource, 'sql' | 'cipher'>, tenant: string | null) {
    this.#source = source;
    this.#tenant = tenant;
  }

  async get(owner: string, id: string): Promise<ChatRecord | undefined> {
    const row = await this.#find(owner, id);
    return row && this.#read(row);
  }

  async create(chat: NewChat): Promise<'created' | 'exists'> {
    const values = [...this.#keysOf(chat), systemClock.now(), ...(await this.#write(chat))];
    return (await this.#source.sql.run('createChat', values)).length > 0 ? 'created' : 'exists';
  }

  async change({ owner, id, branch }: ChatCondition, changes: ChatChanges): Promise<ChatRecord | undefined> {
    for (;;) {
      const row = await this.#find(owner, id);
      const chat = row && (await this.#read(row));
      if (row === undefined || chat?.branches.at(-1) !== branch) return undefined;
      const { branches = chat.branches, title = chat.title } = changes;
      const texts = await this.#write({ owner, id, branches, title });
      const values = [...this.#keysOf(chat), systemClock.now(), ...texts, row.sum];
      const [changed] = await this.#source.sql.run<ChatRow>('changeChat', values);
      // Without a row, another request has changed the chat meanwhile.
      if (changed !== undefined) return this.#read(changed);
    }
  }

  async list(owner: string, { before, limit = DEFAULT_PAGE_RECORDS }: ChatPage = {}): Promise<readonly ChatRecord[]> {
    const values = [
      toTenantKey(this.#tenant),
      escapeText(owner),
      before === undefined ? null : Math.ceil(before),
      Math.min(limit, MAX_RETURNED_RECORDS),
    ];
    const rows = await this.#source.sql.run<ChatRow>('chats', values);
    return Promise.all(rows.map((row) => this.#read(row)));
  }

  async delete(owner: string, id: string): Promise<boolean> {
    return (await this.#source.sql.run('deleteChat', this.#keysOf({ owner, id }))).length > 0;
  }

  async #find(owner: string, id: string): Promise<ChatRow | undefined> {
    return (await this.#source.sql.run<ChatRow>('chat', this.#keysOf({ owner, id })))[0];
  }

  #keysOf({ owner, id }: Pick<ChatRecord, 'owner' | 'id'>): readonly string[] {
    return [toTenantKey(this.#tenant), escapeText(owner), escapeText(id)];
  }

  /** Writes the texts of a chat: its checksum, its branches as JSON, and its title. */
  async #write({ owner, id, branches, title }: NewChat): Promise<readonly (string | null)[]> {
    const place = formatTitlePlace(this.#tenant, owner, id);
    const sealed = title === null ? null : await this.#source.cipher.seal(escapeText(title), place);
    // Escaped twice, because the ids may have characters that databases cannot store.
    const listed = JSON.stringify(branches.map(escapeText));
    return [computeChecksum(place, listed, sealed ?? '', String(sealed === null)), listed, sealed];
  }

  /** Reads a chat. @throws PromptEvaluationError E709 for a damaged row */
  async #read({ owner: ownerKey, id: key, created, changed, sum, branches, title }: ChatRow): Promise<ChatRecord> {
    const [owner, id] = [unescapeText(ownerKey), unescapeText(key)];
    const place = formatTitlePlace(this.#tenant, owner, id);
    if (sum !== computeChecksum(place, branches, title ?? '', String(title === null)))
      throw createDamagedChatError(owner, id, 'its texts do not match their checksum');
    try {
      return {
        owner,
        id,
        branches: (JSON.parse(branches) as readonly string[]).map(unescapeText),
        title: title === null ? null : unescapeText(await this.#source.cipher.open(title, place)),
        createdAt: Number(created),
        changedAt: Number(changed),
      };
    } catch (error) {
      throw error instanceof ToolwrightError ? error : createDamagedChatError(owner, id, messageOf(error));
    }
  }
}

function createDamagedChatError(owner: string, id: string, problem: string): Error {
  return createStoreError(`the record of the chat is damaged: ${problem}`, {
    place: `chat ${quote(id)} of ${quote(owner)}`,
    remedy: 'Restore the database from a copy, or delete the chat; other chats can be read by their ids.',
  });
}
