import type { OptionNames } from '../../error/optionNames.js';

/** Options of a conversation. */
export interface ConversationOptions {
  /** A new one when left out. */
  readonly id?: string | undefined;
  /**
   * Where the state of the session is kept. `within` (by default): its changes are entries of the log, and an empty session gets
   * them back. `apart`: the host keeps it.
   */
  readonly session?: 'within' | 'apart' | undefined;
  /** True if its session may belong to other conversations as well; false when left out. */
  readonly sharesSession?: boolean | undefined;
}

/** The names of all options. */
export const conversationOptionNames: OptionNames<ConversationOptions> = { id: 1, session: 1, sharesSession: 1 };

/** Options of a copy of a conversation. */
export interface ForkOptions {
  /** The run before which the copy ends, e.g. to answer again or with other words; the whole conversation when left out. */
  readonly before?: string | undefined;
  /** The id of the copy; a new one when left out. */
  readonly id?: string | undefined;
}
