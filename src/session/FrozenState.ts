import { PersistentList } from './PersistentList.js';
import type { TransactionBase } from './SessionTransaction.js';
import type { SliceRules } from './SliceRules.js';
import type { SliceKey } from './SliceStore.js';

/**
 * A session as it was at one moment, for calls that run together: whatever happens to the session, all of them see the same.
 * Logs are outside of that, and stay as they are.
 */
export class FrozenState implements TransactionBase {
  readonly id: string;
  readonly rules: SliceRules;
  readonly closed = false;
  readonly thawed: TransactionBase;
  readonly #slices: ReadonlyMap<SliceKey, PersistentList<unknown>>;

  constructor(session: TransactionBase, slices: ReadonlyMap<SliceKey, PersistentList<unknown>>) {
    this.id = session.id;
    this.rules = session.rules;
    this.thawed = session;
    this.#slices = new Map(slices);
  }

  read(key: SliceKey): PersistentList<unknown> {
    return this.rules.policyOf(key) === 'log' ? this.thawed.read(key) : (this.#slices.get(key) ?? PersistentList.empty);
  }

  peek(key: SliceKey): PersistentList<unknown> {
    return this.read(key);
  }

  current(key: SliceKey): PersistentList<unknown> {
    return this.read(key);
  }

  noteRead(): void {
    // Nothing of it can move.
  }

  write(key: SliceKey, list: PersistentList<unknown>): void {
    this.thawed.write(key, list);
  }

  take(): void {
    // Calls that only read have nothing to take in; their logs were written at once.
  }
}
