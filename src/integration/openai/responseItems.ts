import type { OpenAI } from 'openai';
import { CallIds } from '../../provider/CallIds.js';
import { isFields, type Fields } from '../../provider/fields.js';
import { legalName } from '../../provider/refuseTools.js';
import type { Message } from '../../value/Message.js';
import type { ToolCall } from '../../value/ToolCall.js';
import { argumentsText } from './argumentsText.js';

type Item = OpenAI.Responses.ResponseInputItem;
type CallItem = OpenAI.Responses.ResponseFunctionToolCall;

/** The provider's name in native content of a conversation. */
export const PROVIDER = 'openai';

/** The provider accepts 64; the rest is for suffixes that keep ids unique. */
const LONGEST_ID = 56;

/**
 * Writes a conversation as the items of a Responses request (docs/contract.md, 16).
 *
 * @param isStored true if the provider stores its answers, and finds reasoning by its id
 */
export function responseItems(messages: readonly Message[], isStored: boolean): Item[] {
  const ids = new CallIds(legalId);
  return messages.flatMap((message): Item[] => {
    switch (message.role) {
      case 'system':
      case 'user':
        return [{ role: message.role, content: message.content }];
      case 'assistant': {
        const { toolCalls = [] } = message;
        const sent = ids.begin(toolCalls.map(({ id }) => id));
        const calls = toolCalls.map((call, index) => callItem(call, sent[index] ?? ''));
        return assistantItems(message, calls, isStored);
      }
      case 'tool': {
        const { toolCallId, content } = message;
        const call_id = ids.answered(toolCallId) ?? legalId(toolCallId);
        return [{ type: 'function_call_output', call_id, output: content }];
      }
    }
  });
}

function assistantItems(
  { content, native }: Extract<Message, { role: 'assistant' }>,
  calls: readonly CallItem[],
  isStored: boolean,
): Item[] {
  if (native?.provider !== PROVIDER) return [...said(content), ...calls];
  const left = [...calls];
  const items = native.content.flatMap((item) => (isFields(item) ? nativeItem(item, left, isStored) : []));
  const all = [...items, ...left];
  // An answer that was cut short while the model reasoned: the provider refuses reasoning that no other item follows.
  while (all.at(-1)?.type === 'reasoning') all.pop();
  return all;
}

/** Returns an item unchanged; calls are written from the conversation, with the provider's other fields. */
function nativeItem(item: Fields, calls: CallItem[], isStored: boolean): Item[] {
  const { type, ...rest } = item;
  if (type === 'function_call') return calls.splice(0, 1).map((call) => ({ ...rest, ...call }));
  if (type === 'message' && isBlank(item['content'])) return [];
  // Reasoning that was not stored cannot be found by its id, and the provider would refuse the whole request.
  if (type === 'reasoning' && !isStored && typeof item['encrypted_content'] !== 'string') return [];
  return [item as unknown as Item];
}

function said(content: string | null): Item[] {
  return content === null || isBlank(content) ? [] : [{ role: 'assistant', content }];
}

function isBlank(content: unknown): boolean {
  return typeof content === 'string' && content.trim() === '';
}

function callItem({ name, arguments: given }: ToolCall, id: string): CallItem {
  return { type: 'function_call', call_id: id, name: legalName(name), arguments: argumentsText(given) };
}

function legalId(id: string): string {
  return id.slice(0, LONGEST_ID) || 'call';
}
