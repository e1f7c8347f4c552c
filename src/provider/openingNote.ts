/** What providers get that require a user message first, where a conversation begins with its prompt alone. */
export const OPENING_NOTE = '[The conversation begins here, without a message of the user.]';
