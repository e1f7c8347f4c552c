import { className } from '../common/classes.js';
import type { AbstractConstructor } from '../common/types.js';
import { ReadOnlyViolationError, TransactionClosedError } from '../error/toolErrors.js';
import type { Clock, IdSource } from '../interface/ports.js';
import type { SessionPort, SlicePort, StateTable } from '../interface/SessionPort.js';
import type { ReducerContext } from '../interface/SliceOp.js';
import type { PersistentList } from './table/PersistentList.js';
import type { KeptTable } from './table/KeptTable.js';
import type { SliceRules } from './slice/SliceRules.js';
import { EventContext, freezeEvent, runReducer, Slice, type SliceKey, type SliceStore } from './slice/SliceStore.js';
import { TableOverlays, type ChangedTable } from './table/TableOverlays.js';

/** The base of a transaction: a session, or another transaction. */
export interface TransactionBase extends SliceStore {
  readonly id: string;
  /** True once it has ended; transactions on it can no longer commit. */
  readonly closed: boolean;
  /** The version of the session, as of the last commit to it. */
  readonly version: number;
  /** Returns its current state, frozen; omitted if only its own calls can change it. */
  createFrozen?(): TransactionBase;
  /** For a frozen base: the live base that it was taken from. */
  readonly thawed?: TransactionBase;
  /** Returns the current state of the slice for comparison: counts neither as read nor as extended. */
  current(key: SliceKey): PersistentList<unknown>;
  /** Returns the table on which transactions begin theirs. @throws SessionError E808 */
  tableOf(key: SliceKey): KeptTable;
  /** Called when a transaction on this base reads a state that it took over earlier; omitted if it has no base itself. */
  noteRead?(key: SliceKey, list: PersistentList<unknown>): void;
  /** Applies the writes of a transaction on this base, and adds its journal. */
  take(writes: ReadonlyMap<SliceKey, PersistentList<unknown>>, journal: readonly JournalEntry[]): void;
}

export interface TransactionOptions {
  readonly readOnly: boolean;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** One operation of the call, for replaying it on a base that has changed. */
export type JournalEntry =
  | { readonly event: object; readonly context: ReducerContext }
  | { readonly key: SliceKey; readonly list: PersistentList<unknown> };

/**
 * An overlay on a session, or on another transaction as a savepoint: reads see the base and the overlay's own writes, writes stay
 * in the overlay, and a rollback just drops it (docs/contract.md, 7).
 */
export class SessionTransaction implements SessionPort, TransactionBase {
  readonly id: string;
  readonly rules: SliceRules;
  readonly #base: TransactionBase;
  readonly #options: TransactionOptions;
  // Created on first use: most calls use no slice.
  #reads: Map<SliceKey, PersistentList<unknown>> | undefined;
  #writes: Map<SliceKey, PersistentList<unknown>> | undefined;
  #origins: Map<SliceKey, PersistentList<unknown>> | undefined;
  /** Slices whose base values the overlay extends. */
  #extended: Set<SliceKey> | undefined;
  #journal: JournalEntry[] | undefined;
  #tables: TableOverlays | undefined;
  #reducing = false;
  #replaying = false;
  #closed = false;
  #sealed = false;
  /** The error of a write: if the handler swallows it, the rest must not be committed either. */
  #fault: { readonly error: unknown } | undefined;

  constructor(base: TransactionBase, options: TransactionOptions) {
    this.id = base.id;
    this.rules = base.rules;
    this.#base = base;
    this.#options = options;
  }

  slice<T>(type: AbstractConstructor<T>): SlicePort<T> {
    this.#assertOpen();
    return new Slice<T>(this, type, this);
  }

  table<T extends StateTable>(type: AbstractConstructor<T>): T {
    this.#assertOpen();
    return this.tableOf(type) as StateTable as T;
  }

  tableOf(key: SliceKey): KeptTable {
    return (this.#tables ??= new TableOverlays(this.#base)).of(key);
  }

  dispatch(event: object): void {
    this.#assertOpen();
    freezeEvent(this.rules, event);
    const context = new EventContext(this.#options.clock, this.#options.ids);
    this.#reduce(event, context);
    (this.#journal ??= []).push({ event, context });
  }

  read(key: SliceKey): PersistentList<unknown> {
    this.#assertOpen();
    const own = this.#writes?.get(key);
    if (own !== undefined) {
      this.noteRead(key, own);
      return own;
    }
    const list = this.#base.read(key);
    this.#record(key, list);
    return list;
  }

  noteRead(key: SliceKey, list: PersistentList<unknown>): void {
    const origin = this.#origins?.get(key);
    // A list that extends the base's list also shows the base's values; one that replaced them all does not.
    if (origin !== undefined && this.#extended?.has(key) !== true) return;
    this.#record(key, origin ?? list);
    this.#base.noteRead?.(key, origin ?? list);
  }

  peek(key: SliceKey): PersistentList<unknown> {
    this.#assertOpen();
    const own = this.#writes?.get(key);
    if (own !== undefined) return own;
    (this.#extended ??= new Set()).add(key);
    return this.#base.peek(key);
  }

  current(key: SliceKey): PersistentList<unknown> {
    return this.#writes?.get(key) ?? this.#base.current(key);
  }

  write(key: SliceKey, list: PersistentList<unknown>): void {
    this.#assertOpen();
    if (this.rules.policyOf(key) === 'log') {
      // A replay must not repeat log entries.
      if (!this.#replaying) this.#base.write(key, list);
      return;
    }
    if (this.#options.readOnly) throw this.#rememberFault(new ReadOnlyViolationError(`slice ${className(key)}`));
    this.#putList(key, list);
    if (!this.#reducing) (this.#journal ??= []).push({ key, list });
  }

  take(writes: ReadonlyMap<SliceKey, PersistentList<unknown>>, journal: readonly JournalEntry[]): void {
    this.#assertOpen();
    for (const [key, list] of writes) this.#putList(key, list);
    (this.#journal ??= []).push(...journal);
  }

  get version(): number {
    return this.#base.version;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Checks whether a slice that the call read has changed since; for a failed call, also a slice that it wrote. */
  conflicts(failed = false): boolean {
    if (this.#tables?.hasConflict === true) return true;
    const moved = (seen: ReadonlyMap<SliceKey, PersistentList<unknown>> | undefined): boolean => {
      for (const [key, list] of seen ?? []) if (this.#base.current(key) !== list) return true;
      return false;
    };
    return moved(this.#reads) || (failed && moved(this.#origins));
  }

  /** Ensures that `apply` will succeed; returns false if changes of the base prevent it. */
  prepare(): boolean {
    if (!this.#sealed) this.#assertOpen();
    if (this.conflicts()) return false;
    const movedUnread = [...(this.#origins ?? [])].some(([key, list]) => this.#base.current(key) !== list);
    return !movedUnread || this.#replay();
  }

  /** The writes that `apply` will pass to the base. */
  get changes(): ReadonlyMap<SliceKey, PersistentList<unknown>> {
    return this.#writes ?? new Map<SliceKey, PersistentList<unknown>>();
  }

  get changedTables(): readonly ChangedTable[] {
    return this.#tables?.changes ?? [];
  }

  get isWritten(): boolean {
    return this.changes.size > 0 || this.#tables?.written !== undefined;
  }

  /** Applies the overlay to its base, after `prepare`, and closes. */
  apply(): void {
    if (this.#writes !== undefined) this.#base.take(this.#writes, this.#journal ?? []);
    this.#tables?.commit();
    this.close();
  }

  /** Runs `prepare` and `apply`; returns false if nothing was applied. */
  commit(): boolean {
    if (!this.prepare()) return false;
    this.apply();
    return true;
  }

  /** Refuses every later use except the commit, which takes time. */
  seal(): void {
    this.#sealed = true;
    this.close();
  }

  /** Closes the transaction: every later use throws. Without a prior commit, this rolls back. */
  close(): void {
    this.#closed = true;
  }

  /** Repeats all operations on the current base. No slice that was read has changed: only appends and replacements coincide. */
  #replay(): boolean {
    const journal = this.#journal ?? [];
    this.#writes = undefined;
    this.#origins = undefined;
    this.#journal = undefined;
    this.#replaying = true;
    try {
      for (const entry of journal) {
        if ('event' in entry) {
          this.#reduce(entry.event, entry.context);
          (this.#journal ??= []).push(entry);
        } else this.write(entry.key, entry.list);
      }
      return true;
    } catch {
      return false;
    } finally {
      this.#replaying = false;
    }
  }

  #record(key: SliceKey, list: PersistentList<unknown>): void {
    if (this.rules.policyOf(key) === 'state' && this.#reads?.has(key) !== true) {
      (this.#reads ??= new Map()).set(key, list);
    }
  }

  #putList(key: SliceKey, list: PersistentList<unknown>): void {
    if (this.#origins?.has(key) !== true) (this.#origins ??= new Map()).set(key, this.#base.current(key));
    (this.#writes ??= new Map()).set(key, list);
  }

  #reduce(event: object, context: ReducerContext): void {
    const outer = this.#reducing;
    this.#reducing = true;
    try {
      runReducer(this, event, context, (error, slice) => {
        // A reducer that threw counts as having read its slice: a repeated call may have a different outcome.
        this.read(slice);
        throw this.#rememberFault(error);
      });
    } finally {
      this.#reducing = outer;
    }
  }

  /** @throws the error of a reducer or of a forbidden write, even if the handler swallowed it */
  assertSound(): void {
    const written = this.#options.readOnly ? this.#tables?.written : undefined;
    if (written !== undefined) throw new ReadOnlyViolationError(`table ${className(written)}`);
    if (this.#fault !== undefined) throw this.#fault.error;
  }

  #rememberFault(error: unknown): unknown {
    this.#fault ??= { error };
    return error;
  }

  #assertOpen(): void {
    if (this.#closed && !this.#replaying) throw new TransactionClosedError('session of a tool call');
  }
}
