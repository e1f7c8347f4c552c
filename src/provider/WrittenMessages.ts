import type { Message } from '../value/Message.js';

/**
 * The entries that an adapter has written for messages. In a later request, the same message yields the same object, so
 * it is not written again, and a comparison of two requests ends at once.
 */
export class WrittenMessages<Entry> {
  readonly #written = new WeakMap<Message, { readonly key: string; readonly entries: readonly Entry[] }>();

  /** Returns the entries of a message. `key` is everything apart from the message that they depend on. */
  of(message: Message, key: string, write: () => readonly Entry[]): readonly Entry[] {
    const known = this.#written.get(message);
    if (known?.key === key) return known.entries;
    const entries = write();
    this.#written.set(message, { key, entries });
    return entries;
  }
}

/** Sent to providers that require a user message first, if a conversation begins without one. */
export const OPENING_NOTE = '[The conversation begins here, without a message of the user.]';
