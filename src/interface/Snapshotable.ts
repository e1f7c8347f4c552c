import type { Awaitable } from '../common/types.js';

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
