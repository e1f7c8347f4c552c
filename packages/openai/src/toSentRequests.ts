import type { OpenAI } from 'openai';
import type { SentRequest } from 'toolwright/adapters';

/** Splits a Responses request into the entries that are compared with earlier requests. */
export function toSentResponse(body: OpenAI.Responses.ResponseCreateParams): SentRequest {
  const { tools = [], input, ...parameters } = body;
  return { tools, ...splitSystem(Array.isArray(input) ? input : []), parameters: { ...parameters } };
}

/** Splits a Chat Completions request into the entries that are compared with earlier requests. */
export function toSentChat(body: OpenAI.Chat.Completions.ChatCompletionCreateParams): SentRequest {
  const { tools = [], messages, ...parameters } = body;
  return { tools, ...splitSystem(messages), parameters: { ...parameters } };
}

/** Returns the system messages at the beginning, and everything after them. */
function splitSystem<Entry extends object>(entries: readonly Entry[]): Pick<SentRequest, 'system' | 'messages'> {
  const begin = entries.findIndex((entry) => !('role' in entry) || entry.role !== 'system');
  const count = begin < 0 ? entries.length : begin;
  return { system: entries.slice(0, count), messages: entries.slice(count) };
}
