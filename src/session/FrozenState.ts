import { PersistentList } from './PersistentList.js';
import type { TransactionBase } from './SessionTransaction.js';
import type { SliceRules } from './SliceRules.js';
import type { SliceKey } from './SliceStore.js';

/**
 * The state of a session at one moment, for calls that run concurrently: all of them see the same state, even if the session
 * changes. Log slices are excluded, and remain live.
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
    // A frozen state cannot change.
  }

  write(key: SliceKey, list: PersistentList<unknown>): void {
    this.thawed.write(key, list);
  }

  take(): void {
    // Read-only calls have no changes to apply; their logs were written at once.
  }
}
