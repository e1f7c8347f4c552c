import type { SessionDelta } from '../../interface/RunStore.js';

/** Writes down how the session of a run changes. */
export interface StateLink {
  /** The name of a session that other conversations share; undefined if the log of this one has the state. */
  readonly sharedSession?: string | undefined;
  /**
   * Returns how the session changed since the last time, for the next entry of the log; undefined if it did not, or if the changes are
   * kept elsewhere.
   *
   * @throws SessionError E805 for state that cannot be written
   */
  delta(): SessionDelta | undefined;
  /** Applies the changes of other conversations; left out where there can be none. */
  refresh?(): Promise<void>;
}
