import assert from 'node:assert/strict';
import { ToolwrightError } from 'toolwright';
import type { RunEntry, OpenLog, QuestionReply, RunStore } from 'toolwright/conversations';
import { randomId } from 'toolwright/internal/light';
import type { DurableStore } from '@toolwright/durable';

/** Two stores on the same storage, as in two processes, and a conversation for this check only. */
export class ContractLogs {
  readonly store: RunStore;
  readonly other: RunStore;
  readonly conversation: string;
  /** A second conversation; it shares the session. */
  readonly second: string;
  readonly session: string;
  readonly #tenants = new Set<string>();

  constructor(store: RunStore, other: RunStore) {
    this.store = store;
    this.other = other;
    this.conversation = `contract ${randomId()}`;
    this.second = `${this.conversation} second`;
    this.session = `${this.conversation} session`;
  }

  /** Returns the first store for a tenant, and deletes the tenant's conversations and session in the end. */
  ofTenant(tenant: string | null): DurableStore {
    if (tenant !== null) this.#tenants.add(tenant);
    return requireDurable(this.store).forTenant(tenant);
  }

  /** Ends the runs of each tenant, then deletes its conversations and its session. */
  async cleanUp(): Promise<void> {
    await this.#delete(this.store);
    for (const tenant of this.#tenants) await this.#delete(requireDurable(this.store).forTenant(tenant));
  }

  async #delete(store: RunStore & Partial<Pick<DurableStore, 'records' | 'chats' | 'deleteSession'>>): Promise<void> {
    const { records } = store;
    for (let run = await records?.head(this.conversation); run !== undefined;) {
      await records?.change(run.id, { status: [run.status] }, { status: 'cancelled' });
      run = await records?.head(this.conversation);
    }
    for (const { owner, id } of (await store.chats?.list(this.conversation)) ?? [])
      await store.chats?.delete(owner, id);
    await store.delete(this.conversation);
    await store.delete(this.second);
    await store.deleteSession?.(this.session);
  }

  /** Opens the conversation with the first store, and appends the entries. */
  async begin(entries: readonly RunEntry[] = []): Promise<OpenLog> {
    const { epoch } = await this.store.open(this.conversation);
    if (entries.length > 0) await this.append(epoch, 0, entries);
    return { epoch, entries };
  }

  append(epoch: number, after: number, entries: readonly RunEntry[], store = this.store): Promise<void> {
    return store.append({ conversation: this.conversation, epoch, after }, entries);
  }

  /** Returns the id of a question about a call; unique to the conversation. */
  idOf(call: string, about: RunEntry<'question'>['about'] = 'approval'): string {
    return `${this.conversation} ${call} ${about}`;
  }

  question(call: string, about: RunEntry<'question'>['about'] = 'approval'): RunEntry<'question'> {
    const asked = { call, name: 'ship', arguments: { to: 'Ada' }, about, askedAt: 1_764_000_000_000 };
    return { kind: 'question', id: this.idOf(call, about), ...asked };
  }

  makeReply(call: string, reply: QuestionReply): RunEntry<'reply'> {
    return { kind: 'reply', question: this.idOf(call), call, reply };
  }

  async assertHolds(entries: readonly RunEntry[], message?: string): Promise<void> {
    for (const store of [this.store, this.other])
      assert.deepEqual(toJson((await store.entries(this.conversation)).map(removeVersion)), toJson(entries), message);
  }
}

/** Returns an entry without the number of its format, which a store may leave out of replies. */
export function removeVersion({ version: _version, ...entry }: RunEntry): RunEntry {
  return entry;
}

/** Asserts that a store keeps runs. */
export function requireDurable(store: RunStore): DurableStore {
  assert.ok((store as Partial<DurableStore>).records, 'the store has no records');
  return store as DurableStore;
}

export async function assertRefused(work: Promise<unknown>, what: string, code = 'E709'): Promise<void> {
  const error = await work.then(
    () => assert.fail(`${what} was accepted`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ToolwrightError)) throw error;
  assert.equal(error.code, code, what);
}

export function makeNotes(...texts: readonly string[]): readonly RunEntry[] {
  return texts.map((content) => ({ kind: 'note', turn: 1, about: 'limits', message: { role: 'user', content } }));
}

export const ended: RunEntry<'end'> = {
  kind: 'end',
  run: 'r',
  how: 'cancelled',
  problem: 'no longer needed',
  messages: [],
};

/** Writes entries as JSON to compare them, since even the order of keys is part of the text that is sent to a model again. */
export function toJson(entries: readonly RunEntry[]): readonly string[] {
  return entries.map((entry) => JSON.stringify(entry));
}
