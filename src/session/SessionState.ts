import { describeValue } from '../common/text.js';
import { SessionError } from '../error/infrastructureErrors.js';
import { PersistentList } from './table/PersistentList.js';
import { SessionSnapshot } from './SessionSnapshot.js';
import type { KeptTable, TableRow } from './table/KeptTable.js';
import { SessionTables, type TableStates } from './table/SessionTables.js';
import type { TransactionBase } from './SessionTransaction.js';
import type { SliceRegistry, SliceScope } from './slice/SliceRegistry.js';
import type { SliceRules } from './slice/SliceRules.js';
import type { SliceKey } from './slice/SliceStore.js';

interface Held {
  readonly lists: ReadonlyMap<SliceKey, PersistentList<unknown>>;
  readonly tables: TableStates;
  /** LOG slices that the snapshot excludes: one that has since become a STATE slice was not empty. */
  readonly leftOut: ReadonlySet<SliceKey>;
}

/** State that was read from JSON: the values of slices, and the rows of tables. */
export interface ReadState {
  readonly slices: ReadonlyMap<SliceKey, readonly object[]>;
  readonly tables: ReadonlyMap<SliceKey, readonly TableRow[]>;
}

/** The slices of a session, as the base for transactions of tool calls. */
export class SessionState implements TransactionBase {
  readonly id: string;
  readonly rules: SliceRules;
  readonly tables: SessionTables;
  readonly closed = false;
  readonly #registry: SliceRegistry;
  #slices = new Map<SliceKey, PersistentList<unknown>>();
  #version = 0;
  /** Shared by a session and its clones, so that each can restore the snapshots of the other. */
  #taken = new WeakMap<SessionSnapshot, Held>();

  constructor(id: string, rules: SliceRules, registry: SliceRegistry) {
    this.id = id;
    this.rules = rules;
    this.tables = new SessionTables(registry.declared);
    this.#registry = registry;
  }

  read(key: SliceKey): PersistentList<unknown> {
    return this.#slices.get(key) ?? PersistentList.empty;
  }

  peek(key: SliceKey): PersistentList<unknown> {
    return this.read(key);
  }

  current(key: SliceKey): PersistentList<unknown> {
    return this.read(key);
  }

  tableOf(key: SliceKey): KeptTable {
    return this.tables.of(key);
  }

  /** Grows with each write of STATE slices and tables. */
  get version(): number {
    return this.#version + this.tables.version;
  }

  write(key: SliceKey, list: PersistentList<unknown>): void {
    this.#slices.set(key, list);
    if (this.rules.policyOf(key) === 'state') this.#version++;
  }

  take(writes: ReadonlyMap<SliceKey, PersistentList<unknown>>): void {
    for (const [key, list] of writes) this.write(key, list);
  }

  /** Takes over state that was read from JSON; the session must still be as it was created. */
  fill({ slices, tables }: ReadState): void {
    for (const [key, values] of slices) this.write(key, PersistentList.of(values));
    for (const [key, rows] of tables) this.tables.write(key, rows, true);
  }

  /**
   * Returns the state at this moment, for calls that run concurrently: all of them see the same state, even if the session changes. Log
   * slices are excluded, and remain live.
   */
  createFrozen(): TransactionBase {
    const { id, rules, closed, version } = this;
    const slices = new Map(this.#slices);
    const tables = new Map([...this.tables.all].map(([key, table]) => [key, table.begin()]));
    const read = (key: SliceKey): PersistentList<unknown> =>
      rules.policyOf(key) === 'log' ? this.read(key) : (slices.get(key) ?? PersistentList.empty);
    return {
      id,
      rules,
      closed,
      version,
      thawed: this,
      read,
      peek: read,
      current: read,
      tableOf: (key) => tables.get(key) ?? this.tableOf(key),
      write: (key, list) => {
        this.write(key, list);
      },
      // Read-only calls have no changes to apply; their logs were written at once.
      take: () => undefined,
    };
  }

  /** Every slice that was ever written, in the order of the first writes. */
  get slices(): ReadonlyMap<SliceKey, PersistentList<unknown>> {
    return this.#slices;
  }

  snapshot(logs: boolean): SessionSnapshot {
    const lists = new Map<SliceKey, PersistentList<unknown>>();
    const leftOut = new Set<SliceKey>();
    for (const [key, list] of this.#slices) {
      if (logs || this.rules.policyOf(key) === 'state') lists.set(key, list);
      else leftOut.add(key);
    }
    const snapshot = new SessionSnapshot(this.id, logs);
    this.#taken.set(snapshot, { lists, leftOut, tables: this.tablesOf('conversation') });
    return snapshot;
  }

  /** @throws SessionError E803 */
  restore(snapshot: SessionSnapshot, preserveLogs: boolean): void {
    const { lists, leftOut, tables } = this.#requireSnapshot(snapshot);
    this.tables.put(new Map([...tables, ...this.tablesOf('user')]));
    for (const key of new Set([...this.#slices.keys(), ...lists.keys()])) {
      // The snapshot may have facts that the user has had forgotten.
      if (this.#registry.scopeOf(key) === 'user') continue;
      if (preserveLogs && (leftOut.has(key) || this.rules.policyOf(key) === 'log')) continue;
      // A new list each time: a call that has read the slice before must detect the change.
      this.write(key, (lists.get(key) ?? PersistentList.empty).copyAsNew());
    }
  }

  /**
   * Empties every slice of a scope, but keeps its entry, so that the change is detected; resets its tables to their initial
   * state.
   */
  reset(scope: SliceScope = 'conversation'): void {
    this.tables.put(this.tablesOf(scope === 'user' ? 'conversation' : 'user'));
    for (const key of this.#slices.keys())
      if (this.#registry.scopeOf(key) === scope) this.write(key, PersistentList.of([]));
  }

  tablesOf(scope: SliceScope): TableStates {
    return this.#selectScope(this.tables.states, scope);
  }

  /** Every slice of a scope that was ever written. */
  slicesOf(scope: SliceScope): ReadonlyMap<SliceKey, PersistentList<unknown>> {
    return this.#selectScope(this.#slices, scope);
  }

  #selectScope<T>(all: ReadonlyMap<SliceKey, T>, scope: SliceScope): ReadonlyMap<SliceKey, T> {
    if (scope === 'conversation' && this.#registry.userSlices.length === 0) return all;
    return new Map([...all].filter(([key]) => this.#registry.scopeOf(key) === scope));
  }

  /** Copies the slices of another session, and shares its snapshots. */
  adopt(other: SessionState): void {
    this.#slices = new Map(other.#slices);
    this.tables.put(other.tables.states);
    this.#version = other.#version;
    this.#taken = other.#taken;
  }

  #requireSnapshot(snapshot: SessionSnapshot): Held {
    const held = this.#taken.get(snapshot);
    if (held !== undefined) return held;
    const problem =
      snapshot instanceof SessionSnapshot
        ? `the snapshot was taken of session ${snapshot.sessionId}`
        : `a SessionSnapshot was expected, got ${describeValue(snapshot)}`;
    throw new SessionError(problem, { code: 'E803', place: `session ${this.id}` });
  }
}
