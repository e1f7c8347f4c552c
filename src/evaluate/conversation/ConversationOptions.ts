import type { OptionNames } from '../../error/optionNames.js';

/** Options of a conversation. */
export interface ConversationOptions {
  /** The id of the conversation; a new one by default. */
  readonly id?: string | undefined;
  /**
   * Where the state of the session is kept. `within`, the default: the log records its changes, and an empty session
   * gets them back. `apart`: the host keeps it.
   */
  readonly session?: 'within' | 'apart' | undefined;
  /** True if other conversations may share the session; false by default. */
  readonly sharesSession?: boolean | undefined;
}

export const conversationOptionNames: OptionNames<ConversationOptions> = { id: 1, session: 1, sharesSession: 1 };

/** Options of a copy of a conversation. */
export interface ForkOptions {
  /**
   * The run before which the copy ends, e.g. to answer again or with other words; by default, the whole conversation is
   * copied.
   */
  readonly before?: string | undefined;
  /** The id of the copy; a new one by default. */
  readonly id?: string | undefined;
}
