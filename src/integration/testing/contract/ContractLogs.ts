import assert from 'node:assert/strict';
import { randomId } from '../../../common/builtins.js';
import { ToolwrightError } from '../../../error/ToolwrightError.js';
import type { LogEntry, OpenLog, RunEnded, RunStore } from '../../../interface/RunStore.js';

/** Two stores on the same storage, as two processes have them, and a conversation that nothing else uses. */
export class ContractLogs {
  readonly store: RunStore;
  readonly other: RunStore;
  readonly conversation: string;

  constructor(store: RunStore, other: RunStore) {
    this.store = store;
    this.other = other;
    this.conversation = `contract ${randomId()}`;
  }

  /** Opens the conversation with the first store, and appends the entries. */
  async begun(entries: readonly LogEntry[] = []): Promise<OpenLog> {
    const { epoch } = await this.store.open(this.conversation);
    if (entries.length > 0) await this.append(epoch, 0, entries);
    return { epoch, entries };
  }

  append(epoch: number, after: number, entries: readonly LogEntry[], store = this.store): Promise<void> {
    return store.append({ conversation: this.conversation, epoch, after }, entries);
  }

  /** Asserts that both stores read the entries. */
  async holds(entries: readonly LogEntry[], message?: string): Promise<void> {
    for (const store of [this.store, this.other])
      assert.deepEqual(asJson(await store.entries(this.conversation)), asJson(entries), message);
  }
}

/** Asserts that the work is refused with this code. */
export async function refused(work: Promise<unknown>, what: string, code = 'E709'): Promise<void> {
  const error = await work.then(
    () => assert.fail(`${what} was accepted`),
    (thrown: unknown) => thrown,
  );
  if (!ToolwrightError.is(error)) throw error;
  assert.equal(error.code, code, what);
}

/** Notes with these texts. */
export function notes(...texts: readonly string[]): readonly LogEntry[] {
  return texts.map((content) => ({ kind: 'note', turn: 1, about: 'limits', message: { role: 'user', content } }));
}

/** A question about a call. */
export function question(call: string, about: 'approval' | 'unknown' = 'approval'): LogEntry {
  return { kind: 'question', call, name: 'ship', arguments: { to: 'Ada' }, about, askedAt: 1_764_000_000_000 };
}

/** The end of a run. */
export const ended: RunEnded = { kind: 'end', run: 'r', how: 'cancelled', problem: 'no longer needed', messages: [] };

/** As JSON, since even the order of keys is part of what is sent to a model again. */
export function asJson(entries: readonly LogEntry[]): readonly string[] {
  return entries.map((entry) => JSON.stringify(entry));
}
