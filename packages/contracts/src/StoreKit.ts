import type { AppendTransaction, RunStore } from 'toolwright/conversations';
import type { Awaitable } from 'toolwright/types';

/** A store of conversations under test. */
export interface StoreKit {
  /** Opens another store on the same storage each time, as another process would. */
  open(): Awaitable<RunStore>;
  /** True if the store also keeps records of runs and chats and shared sessions, which are then checked. */
  readonly keepsRuns?: boolean | undefined;
  /** Opens a transaction on the `database` of the stores, if resources may join their appends. */
  begin?(): Awaitable<AppendTransaction>;
  /** Closes a store that `open` returned. */
  close?(store: RunStore): Awaitable<void>;
}

/** One check, for any test runner. */
export interface StoreCheck {
  readonly name: string;
  /** Rejects with an AssertionError if the store does not meet it. */
  readonly run: () => Promise<void>;
}
