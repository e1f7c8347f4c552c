import { className } from '../common/classes.js';
import type { AbstractConstructor } from '../common/types.js';
import { ReadOnlyViolationError, TransactionClosedError } from '../error/toolErrors.js';
import type { Clock } from '../interface/Clock.js';
import type { IdSource } from '../interface/IdSource.js';
import type { SessionPort, SlicePort } from '../interface/SessionPort.js';
import type { ReducerContext } from '../interface/SliceOp.js';
import type { PersistentList } from './PersistentList.js';
import { reducerContext } from './reducerContext.js';
import type { SliceRules } from './SliceRules.js';
import { freezeEvent, reduce, Slice, type SliceKey, type SliceStore } from './SliceStore.js';

/** What a transaction is over: a session, or another transaction. */
export interface TransactionBase extends SliceStore {
  readonly id: string;
  /** True once it has ended; a transaction over it can no longer commit. */
  readonly closed: boolean;
  /** Itself as it is now; left out where nothing but its own calls can change it meanwhile. */
  frozen?(): TransactionBase;
  /** For a frozen one: what it was taken of, as that is now. */
  readonly thawed?: TransactionBase;
  /** The slice's state now, to compare with: neither read nor extended. */
  current(key: SliceKey): PersistentList<unknown>;
  /** Told when a transaction over it reads a state that it had taken over earlier. */
  noteRead(key: SliceKey, list: PersistentList<unknown>): void;
  /** Takes in what a transaction over it wrote, and how it came to that. */
  take(writes: ReadonlyMap<SliceKey, PersistentList<unknown>>, journal: readonly JournalEntry[]): void;
}

/** What a transaction needs to know of the call. */
export interface TransactionOptions {
  /** Refuses writes to state slices. */
  readonly readOnly: boolean;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** One thing that the call did, to be done again on a base that has moved. */
export type JournalEntry =
  | { readonly event: object; readonly context: ReducerContext }
  | { readonly key: SliceKey; readonly list: PersistentList<unknown> };

/**
 * An overlay over a session (or over another transaction, as a savepoint): reads see the base and the overlay's own
 * writes, writes stay in the overlay, dropping it is all that rollback takes (docs/contract.md, 7).
 */
export class SessionTransaction implements SessionPort, TransactionBase {
  readonly id: string;
  readonly rules: SliceRules;
  readonly #base: TransactionBase;
  readonly #options: TransactionOptions;
  // Made when first needed: most calls touch no slice.
  #reads: Map<SliceKey, PersistentList<unknown>> | undefined;
  #writes: Map<SliceKey, PersistentList<unknown>> | undefined;
  #origins: Map<SliceKey, PersistentList<unknown>> | undefined;
  /** Slices of which the overlay continues what the base holds. */
  #extended: Set<SliceKey> | undefined;
  #journal: JournalEntry[] | undefined;
  #reducing = false;
  #replaying = false;
  #closed = false;
  /** What went wrong with a write: a handler that swallows it must not commit the rest. */
  #fault: { readonly error: unknown } | undefined;

  constructor(base: TransactionBase, options: TransactionOptions) {
    this.id = base.id;
    this.rules = base.rules;
    this.#base = base;
    this.#options = options;
  }

  slice<T>(type: AbstractConstructor<T>): SlicePort<T> {
    this.#alive();
    return new Slice<T>(this, type, (event) => {
      this.dispatch(event);
    });
  }

  dispatch(event: object): void {
    this.#alive();
    freezeEvent(this.rules, event);
    const context = reducerContext(this.#options.clock, this.#options.ids);
    this.#reduce(event, context);
    (this.#journal ??= []).push({ event, context });
  }

  read(key: SliceKey): PersistentList<unknown> {
    this.#alive();
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
    // An own list that was appended to shows the base's values as well; one that replaced them all does not.
    if (origin !== undefined && this.#extended?.has(key) !== true) return;
    this.#record(key, origin ?? list);
    this.#base.noteRead(key, origin ?? list);
  }

  peek(key: SliceKey): PersistentList<unknown> {
    this.#alive();
    const own = this.#writes?.get(key);
    if (own !== undefined) return own;
    (this.#extended ??= new Set()).add(key);
    return this.#base.peek(key);
  }

  current(key: SliceKey): PersistentList<unknown> {
    return this.#writes?.get(key) ?? this.#base.current(key);
  }

  write(key: SliceKey, list: PersistentList<unknown>): void {
    this.#alive();
    if (this.rules.policyOf(key) === 'log') {
      // What was logged the first time stands already.
      if (!this.#replaying) this.#base.write(key, list);
      return;
    }
    if (this.#options.readOnly) throw this.#faulty(new ReadOnlyViolationError(`slice ${className(key)}`));
    this.#put(key, list);
    if (!this.#reducing) (this.#journal ??= []).push({ key, list });
  }

  take(writes: ReadonlyMap<SliceKey, PersistentList<unknown>>, journal: readonly JournalEntry[]): void {
    this.#alive();
    for (const [key, list] of writes) this.#put(key, list);
    (this.#journal ??= []).push(...journal);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** True when what this is a transaction over has ended before it. */
  get orphaned(): boolean {
    return this.#base.closed;
  }

  /** True when a slice that the call read has changed meanwhile; a failed call counts what it wrote, too. */
  conflicts(failed = false): boolean {
    const moved = (seen: ReadonlyMap<SliceKey, PersistentList<unknown>> | undefined): boolean => {
      for (const [key, list] of seen ?? []) if (this.#base.current(key) !== list) return true;
      return false;
    };
    return moved(this.#reads) || (failed && moved(this.#origins));
  }

  /** Makes sure that `apply` will succeed; false when the base has moved in a way that does not let it. */
  prepare(): boolean {
    this.#alive();
    if (this.conflicts()) return false;
    const movedUnread = [...(this.#origins ?? [])].some(([key, list]) => this.#base.current(key) !== list);
    return !movedUnread || this.#replay();
  }

  /** What `apply` will take in. */
  get changes(): ReadonlyMap<SliceKey, PersistentList<unknown>> {
    return this.#writes ?? new Map<SliceKey, PersistentList<unknown>>();
  }

  /** Takes the overlay into its base, after `prepare`, and ends. */
  apply(): void {
    if (this.#writes !== undefined) this.#base.take(this.#writes, this.#journal ?? []);
    this.close();
  }

  /** Both in one; false when nothing was taken in. */
  commit(): boolean {
    if (!this.prepare()) return false;
    this.apply();
    return true;
  }

  /** Ends it: every later use throws. Without a commit before, this is the rollback. */
  close(): void {
    this.#closed = true;
  }

  /** Does everything again on the base as it is now, since only appends and replacements can have met. */
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

  #put(key: SliceKey, list: PersistentList<unknown>): void {
    if (this.#origins?.has(key) !== true) (this.#origins ??= new Map()).set(key, this.#base.current(key));
    (this.#writes ??= new Map()).set(key, list);
  }

  #reduce(event: object, context: ReducerContext): void {
    const outer = this.#reducing;
    this.#reducing = true;
    try {
      reduce(this, event, context, (error, slice) => {
        // A reducer that threw has read its slice: whoever repeats the call may see another outcome.
        this.read(slice);
        throw this.#faulty(error);
      });
    } finally {
      this.#reducing = outer;
    }
  }

  /** @throws what a reducer or a forbidden write threw, even when the handler swallowed it */
  assertSound(): void {
    if (this.#fault !== undefined) throw this.#fault.error;
  }

  #faulty(error: unknown): unknown {
    this.#fault ??= { error };
    return error;
  }

  #alive(): void {
    if (this.#closed) throw new TransactionClosedError('session of a tool call');
  }
}
