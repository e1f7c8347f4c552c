import type { Message } from 'toolwright';
import { WrittenMessages } from 'toolwright/internal';
import { writeChatMessages, type ChatMessage, type MessageSettings } from '../../src/writeChatMessages';
import { writeResponseItems, WrittenItems, type Item, type ItemSettings } from '../../src/writeResponseItems';

const plan = {
  tools: [],
  addable: undefined,
  search: undefined,
  findable: new Map(),
  textOf: ({ content }: { readonly content: string }) => content,
};

/** The messages of a conversation as Chat Completions takes them, in a request of its own. */
export function writtenChat(messages: readonly Message[], settings: Partial<MessageSettings> = {}): ChatMessage[] {
  const written = new WrittenMessages<ChatMessage>();
  return writeChatMessages(messages, {
    adapter: 'openai:m',
    plan,
    notes: 'user',
    reasoning: false,
    written,
    ...settings,
  });
}

/** The items of a conversation as Responses takes them, in a request of its own. */
export function writtenItems(messages: readonly Message[], settings: Partial<ItemSettings> = {}): Item[] {
  const written = new WrittenItems();
  return writeResponseItems(messages, { adapter: 'openai:m', isStored: false, plan, written, ...settings });
}
