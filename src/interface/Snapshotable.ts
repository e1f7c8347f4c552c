import type { Awaitable } from '../common/types.js';

/**
 * A resource that can be put back as it was, such as a folder on a disk. Tool calls reach it through a handle that dies with
 * the call; a snapshot is taken before the call's first write, and restored when the call fails (docs/contract.md, 7 and 15).
 * One call writes at a time. Where `snapshot` gives a promise, all methods should give promises, too: a call may have to wait
 * for its snapshot, or for another call.
 */
export interface Snapshotable<S> {
  /** Keeps everything as it is now. */
  snapshot(): Awaitable<S>;
  /** Puts everything back as it was: what came since is gone. Each snapshot is restored at most once. */
  restore(snapshot: S): Awaitable<void>;
  /**
   * The names of the methods that change nothing. Before any other one runs in a call, a snapshot is taken, and a read-only
   * tool is refused it; left out, every method may change something, and what a read-only tool changed is put back.
   */
  readonly reads?: readonly string[] | undefined;
}
