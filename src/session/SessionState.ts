import { describeValue } from '../common/text.js';
import { SessionError } from '../error/infrastructureErrors.js';
import { PersistentList } from './PersistentList.js';
import { SessionSnapshot } from './SessionSnapshot.js';
import type { TransactionBase } from './SessionTransaction.js';
import type { SliceRules } from './SliceRules.js';
import type { SliceKey } from './SliceStore.js';

interface Held {
  readonly lists: ReadonlyMap<SliceKey, PersistentList<unknown>>;
  /** LOG slices that the snapshot excludes: one that has since become a STATE slice was not empty. */
  readonly leftOut: ReadonlySet<SliceKey>;
}

/** The slices of a session: the base of the transactions of tool calls. */
export class SessionState implements TransactionBase {
  readonly id: string;
  readonly rules: SliceRules;
  readonly closed = false;
  #slices = new Map<SliceKey, PersistentList<unknown>>();
  #version = 0;
  /** Shared by a session and its clones, so that each can restore the snapshots of the other. */
  #taken = new WeakMap<SessionSnapshot, Held>();

  constructor(id: string, rules: SliceRules) {
    this.id = id;
    this.rules = rules;
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

  noteRead(): void {
    // A session has no base that could change.
  }

  /** Greater after each write of STATE slices. */
  get version(): number {
    return this.#version;
  }

  write(key: SliceKey, list: PersistentList<unknown>): void {
    this.#slices.set(key, list);
    if (this.rules.policyOf(key) === 'state') this.#version++;
  }

  take(writes: ReadonlyMap<SliceKey, PersistentList<unknown>>): void {
    for (const [key, list] of writes) this.write(key, list);
  }

  /** The current state of the slices, for calls that run concurrently. */
  frozen(): TransactionBase {
    return new FrozenState(this, this.#slices);
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
    this.#taken.set(snapshot, { lists, leftOut });
    return snapshot;
  }

  /** @throws SessionError E803 */
  restore(snapshot: SessionSnapshot, preserveLogs: boolean): void {
    const { lists, leftOut } = this.#heldBy(snapshot);
    for (const key of new Set([...this.#slices.keys(), ...lists.keys()])) {
      if (preserveLogs && (leftOut.has(key) || this.rules.policyOf(key) === 'log')) continue;
      // A new list each time: a call that has read the slice before must detect the change.
      this.write(key, (lists.get(key) ?? PersistentList.empty).anew());
    }
  }

  /** Empties every slice, but keeps its entry, so that the change is detected. */
  reset(): void {
    for (const key of this.#slices.keys()) this.write(key, PersistentList.of([]));
  }

  /** Copies the slices of another session, and shares its snapshots. */
  adopt(other: SessionState): void {
    this.#slices = new Map(other.#slices);
    this.#version = other.#version;
    this.#taken = other.#taken;
  }

  #heldBy(snapshot: SessionSnapshot): Held {
    const held = this.#taken.get(snapshot);
    if (held !== undefined) return held;
    const problem = SessionSnapshot.is(snapshot)
      ? `the snapshot was taken of session ${snapshot.sessionId}`
      : `a SessionSnapshot was expected, got ${describeValue(snapshot)}`;
    throw new SessionError(problem, { code: 'E803', place: `session ${this.id}` });
  }
}

/**
 * The state of a session at one moment, for calls that run concurrently: all of them see the same state, even if the session
 * changes. Log slices are excluded, and remain live.
 */
class FrozenState implements TransactionBase {
  readonly id: string;
  readonly rules: SliceRules;
  readonly closed = false;
  readonly thawed: TransactionBase;
  readonly version: number;
  readonly #slices: ReadonlyMap<SliceKey, PersistentList<unknown>>;

  constructor(session: TransactionBase, slices: ReadonlyMap<SliceKey, PersistentList<unknown>>) {
    this.id = session.id;
    this.rules = session.rules;
    this.thawed = session;
    this.version = session.version;
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
