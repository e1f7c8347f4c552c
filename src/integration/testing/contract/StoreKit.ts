import type { Awaitable } from '../../../common/types.js';
import type { RunStore } from '../../../interface/RunStore.js';

/** A store of conversations under test. */
export interface StoreKit {
  /** Opens another store on the same storage each time, as another process would. */
  open(): Awaitable<RunStore>;
  /** Closes a store that `open` returned. */
  close?(store: RunStore): Awaitable<void>;
}

/** One check, for any test runner. */
export interface StoreCheck {
  readonly name: string;
  /** Rejects with an AssertionError if the store does not meet it. */
  readonly run: () => Promise<void>;
}
