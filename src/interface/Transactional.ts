import type { Awaitable } from '../common/types.js';
import type { OutcomeRecord } from './OutcomeRecord.js';

/** One difference that an overlay makes, e.g. in a record, a file or a row. */
export interface StateChange {
  /** The changed element: a key, a path, or a place in a list. */
  readonly what: string;
  /** The value before the change; undefined if there was none. */
  readonly before: unknown;
  /** The value after the change; undefined if it is removed. */
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
 * A resource that supports rollback by its own kind of overlay, such as a database transaction. A call works on the
 * overlay returned by `begin()`; success passes the overlay to `commit`, failure to `rollback`. For a savepoint,
 * `begin()` and `commit` are called on the overlay itself. Implements docs/contract.md, 7. `toolwright/resources` has
 * ready-made classes for data in memory, and `PostgresTransactions` for PostgreSQL.
 */
export interface Transactional<V> {
  /**
   * Returns an overlay that reads through to this resource and keeps its writes to itself. If it returns a promise,
   * request the resource with `resolve`, not `get`.
   */
  begin(options: BeginOptions): Awaitable<V>;
  /**
   * Applies the writes of the overlay, and releases its resources whether that succeeds or not. Meanwhile, no other
   * call commits to the same resources or session. If a change from outside prevents it, keeps nothing and returns
   * `'conflicted'`. If the promise rejects, the effect is unknown; if it rejects with a `ToolRefusal`, nothing was
   * kept.
   */
  commit(overlay: V): Awaitable<unknown>;
  /** Releases an overlay and discards its writes. Called once for each overlay that is not passed to `commit`. */
  rollback?(overlay: V): Awaitable<unknown>;
  /**
   * Returns true if something that the overlay read or wrote has since been changed here. Must answer synchronously; a
   * database answers in `commit`.
   */
  conflicts?(overlay: V): boolean;
  /** Returns true if the overlay holds writes. Called for read-only tools; their overlays are dropped in any case. */
  changed?(overlay: V): boolean;
  /** Runs the handler of a call in the async context of its overlay. See `everyCall` of a binding. */
  aroundHandler?<T>(overlay: V, work: () => T): T;
  /** Lists the changes that `commit` would make, for a rehearsal. Must answer synchronously and change nothing. */
  changes?(overlay: V): readonly StateChange[];
}

/**
 * A resource that can be restored to an earlier state, such as a folder on a disk. Tool calls use it through a handle
 * that is closed with the call. A snapshot is taken before the first write of the call, and restored if the call fails
 * (docs/contract.md, 7 and 15). Only one call writes at a time. If `snapshot` returns a promise, all methods should
 * return promises, because a call may have to wait for its snapshot or for another call.
 */
export interface Snapshotable<S> {
  /** Saves the current state. */
  snapshot(): Awaitable<S>;
  /** Restores the saved state and discards later changes. Each snapshot is restored at most once. */
  restore(snapshot: S): Awaitable<void>;
  /**
   * The names of the methods that change nothing. Before a call runs any other method, a snapshot is taken; a read-only
   * tool cannot run it. By default, every method may change something, and the changes of a read-only tool are rolled
   * back.
   */
  readonly reads?: readonly string[] | undefined;
}
