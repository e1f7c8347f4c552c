/** Sent to providers that require a user message first, where a conversation begins without one. */
export const OPENING_NOTE = '[The conversation begins here, without a message of the user.]';
