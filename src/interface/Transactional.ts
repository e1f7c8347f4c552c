import type { Awaitable } from '../common/types.js';
import type { OutcomeRecord } from './OutcomeRecord.js';

/** One difference that an overlay makes, such as that of a record, a file or a row. */
export interface StateChange {
  /** What differs: a key, a path, the place in a list. */
  readonly what: string;
  /** Undefined if it was not there. */
  readonly before: unknown;
  /** Undefined if it would be gone. */
  readonly after: unknown;
}

/** The call that begins to use a resource. */
export interface BeginOptions {
  /** True for a call of a read-only tool: its overlay is never committed. */
  readonly readOnly: boolean;
  /** Where the outcome of the call will be recorded; undefined without a log in a database, and for a savepoint. */
  readonly record?: OutcomeRecord | undefined;
}

/**
 * A resource that supports rollback by overlays of its own kind, such as a transaction of a database.
 * A call works on the overlay returned by `begin()`; success passes the overlay to `commit`, failure to `rollback`.
 * A savepoint is `begin()` on the overlay, and `commit` is then called on that overlay as well.
 * Implements docs/contract.md, 7. Ready-made for data in memory: `toolwright/resources`; for PostgreSQL: `PostgresTransactions` of `toolwright/resources`.
 */
export interface Transactional<V> {
  /** Returns an overlay that reads through to this resource and keeps writes to itself. With a promise, use `resolve`, not `get`. */
  begin(options: BeginOptions): Awaitable<V>;
  /**
   * Applies the writes of the overlay, and releases what it holds whether that succeeds or not. No other call commits to the
   * same resources or session meanwhile. If a change from outside prevents it, keeps nothing and returns `'conflicted'`. A
   * promise that rejects leaves the effect unknown; one that rejects with a `ToolRefusal` has kept nothing.
   */
  commit(overlay: V): Awaitable<unknown>;
  /** Releases an overlay whose writes are not kept. Called once for each that is not passed to `commit`. */
  rollback?(overlay: V): Awaitable<unknown>;
  /** True if something that the overlay read or wrote has since been changed here. Answers at once; a database does in `commit`. */
  conflicts?(overlay: V): boolean;
  /** True if the overlay holds writes. Called for read-only tools, whose overlays are dropped in any case. */
  changed?(overlay: V): boolean;
  /** Runs the handler of a call in the async context of its overlay; see `everyCall` of a binding. */
  aroundHandler?<T>(overlay: V, work: () => T): T;
  /** What `commit` would change, for a rehearsal to show. Answers at once, and changes nothing. */
  changes?(overlay: V): readonly StateChange[];
}

/**
 * A resource that can be restored to an earlier state, such as a folder on a disk. Tool calls use it through a handle that is
 * closed with the call; a snapshot is taken before the call's first write, and restored if the call fails
 * (docs/contract.md, 7 and 15). One call writes at a time. If `snapshot` returns a promise, all methods should return promises,
 * too: a call may have to wait for its snapshot, or for another call.
 */
export interface Snapshotable<S> {
  /** Saves the current state. */
  snapshot(): Awaitable<S>;
  /** Restores the saved state and discards later changes. Each snapshot is restored at most once. */
  restore(snapshot: S): Awaitable<void>;
  /**
   * The names of the methods that change nothing. Before a call runs any other method, a snapshot is taken; a read-only tool
   * cannot run it. By default, every method may change something, and the changes of a read-only tool are rolled back.
   */
  readonly reads?: readonly string[] | undefined;
}
