import { className } from '../common/classes.js';
import type { AbstractConstructor } from '../common/types.js';
import { ReadOnlyViolationError, TransactionClosedError } from '../error/toolErrors.js';
import type { Clock } from '../interface/Clock.js';
import type { IdSource } from '../interface/IdSource.js';
import type { SessionPort, SlicePort } from '../interface/SessionPort.js';
import type { ReducerContext } from '../interface/SliceOp.js';
import { freezeState } from './freezeState.js';
import type { PersistentList } from './PersistentList.js';
import type { SliceRules } from './SliceRules.js';
import { reduce, Slice, type SliceKey, type SliceStore } from './SliceStore.js';

/** What a transaction is over: a session, or another transaction. */
export interface TransactionBase extends SliceStore {
  readonly id: string;
}

/** What a transaction needs to know of the call. */
export interface TransactionOptions {
  /** Refuses writes to state slices. */
  readonly readOnly: boolean;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** One thing that the call did, to be done again on a base that has moved. */
type JournalEntry =
  | { readonly event: object; readonly context: ReducerContext }
  | { readonly key: SliceKey; readonly list: PersistentList<unknown> };

/**
 * An overlay over a session (or over another transaction, as a savepoint): reads see the base and the overlay's own
 * writes, writes stay in the overlay, dropping it is all that rollback takes (runtime contract, 7).
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
  #journal: JournalEntry[] | undefined;
  #reducing = false;
  #closed = false;

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
    freezeState(event, className(event.constructor));
    const { clock, ids } = this.#options;
    const time = clock.now();
    let id: string | undefined;
    const context: ReducerContext = {
      time,
      get id(): string {
        return (id ??= ids());
      },
    };
    this.#reduce(event, context);
    (this.#journal ??= []).push({ event, context });
  }

  read(key: SliceKey): PersistentList<unknown> {
    this.#alive();
    const own = this.#writes?.get(key);
    if (own !== undefined) return own;
    const list = this.#base.read(key);
    if (this.rules.policyOf(key) === 'state' && this.#reads?.has(key) !== true)
      (this.#reads ??= new Map()).set(key, list);
    return list;
  }

  peek(key: SliceKey): PersistentList<unknown> {
    this.#alive();
    return this.#writes?.get(key) ?? this.#base.peek(key);
  }

  write(key: SliceKey, list: PersistentList<unknown>): void {
    this.#alive();
    if (this.rules.policyOf(key) === 'log') {
      this.#base.write(key, list);
      return;
    }
    if (this.#options.readOnly) throw new ReadOnlyViolationError(`slice ${className(key)}`);
    if (this.#origins?.has(key) !== true) (this.#origins ??= new Map()).set(key, this.#base.peek(key));
    (this.#writes ??= new Map()).set(key, list);
    if (!this.#reducing) (this.#journal ??= []).push({ key, list });
  }

  /** True when a slice that the call read has changed meanwhile; a failed call counts what it wrote, too. */
  conflicts(failed = false): boolean {
    const moved = (seen: ReadonlyMap<SliceKey, PersistentList<unknown>> | undefined): boolean => {
      for (const [key, list] of seen ?? []) if (this.#base.peek(key) !== list) return true;
      return false;
    };
    return moved(this.#reads) || (failed && moved(this.#origins));
  }

  /** Takes the overlay into its base; false when the base has moved in a way that does not let it. */
  commit(): boolean {
    this.#alive();
    if (this.conflicts()) return false;
    const movedUnread = [...(this.#origins ?? [])].some(([key, list]) => this.#base.peek(key) !== list);
    if (movedUnread && !this.#replay()) return false;
    for (const [key, list] of this.#writes ?? []) this.#base.write(key, list);
    this.close();
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
    try {
      for (const entry of journal) {
        if ('event' in entry) this.#reduce(entry.event, entry.context);
        else this.write(entry.key, entry.list);
      }
      return true;
    } catch {
      return false;
    }
  }

  #reduce(event: object, context: ReducerContext): void {
    const outer = this.#reducing;
    this.#reducing = true;
    try {
      reduce(this, event, context, (error, slice) => {
        // A reducer that threw has read its slice: whoever repeats the call may see another outcome.
        this.read(slice);
        throw error;
      });
    } finally {
      this.#reducing = outer;
    }
  }

  #alive(): void {
    if (this.#closed) throw new TransactionClosedError('session of a tool call');
  }
}
