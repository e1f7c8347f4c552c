import type { Message } from '../value/Message.js';

/**
 * What an adapter has written for messages: in a later request the same message yields the same object, so that it is not
 * written again, and a comparison of two requests ends at once.
 */
export class WrittenMessages<Entry> {
  readonly #written = new WeakMap<Message, { readonly key: string; readonly entries: readonly Entry[] }>();

  /**
   * Returns what was written for a message, or writes it.
   *
   * @param key everything apart from the message that the result depends on
   */
  of(message: Message, key: string, write: () => readonly Entry[]): readonly Entry[] {
    const known = this.#written.get(message);
    if (known?.key === key) return known.entries;
    const entries = write();
    this.#written.set(message, { key, entries });
    return entries;
  }
}

/** Sent to providers that require a user message first, where a conversation begins without one. */
export const OPENING_NOTE = '[The conversation begins here, without a message of the user.]';
