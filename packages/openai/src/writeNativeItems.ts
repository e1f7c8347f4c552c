import type { OpenAI } from 'openai';
import type { JsonValue } from 'toolwright';
import type { NativeContent } from 'toolwright/adapters';
import { makeLegalName, removeParts } from 'toolwright/internal';
import { type Fields, isRecord } from 'toolwright/internal/light';
import { writeArguments } from './writeArguments.js';
import { MAX_ITEM_ID_CHARS } from './limits.js';

type Item = OpenAI.Responses.ResponseInputItem;

/** A call as it is written for the provider. */
export type FunctionItem = OpenAI.Responses.ResponseFunctionToolCall;

/** The types of items with an id that the provider accepts only together with the reasoning before them. */
const PAIRED: ReadonlySet<unknown> = new Set(['message', 'function_call', 'custom_tool_call']);

/**
 * Writes a turn as the provider sent it: every item in its place, complete. Only items that the provider would refuse are left
 * out: reasoning that is found neither in the item nor by its id, reasoning that nothing follows, and calls that the conversation
 * does not have. A call without an item follows at the end.
 *
 * @param calls the calls of the conversation, in order, with the ids that are sent
 * @param isStored true if the provider stores its answers, and finds reasoning by its id
 */
export function writeNativeItems(
  content: NativeContent['content'],
  calls: readonly FunctionItem[],
  isStored: boolean,
): Item[] {
  const items = content.flatMap((item): Fields[] => (isRecord(item) ? [item] : []));
  const isLost = (item: Fields): boolean =>
    item['type'] === 'reasoning' && !isStored && typeof item['encrypted_content'] !== 'string';
  const hasLost = items.some(isLost);
  const left = [...calls];
  const all = items
    .filter((item) => !isLost(item))
    .flatMap((item): Item[] => {
      const known = withLegalId(item, hasLost);
      return isCallItem(item)
        ? left.splice(0, 1).map((call) => writeNativeCall(known, call))
        : [known as unknown as Item];
    });
  all.push(...left);
  // The answer was cut short while the model reasoned.
  while (all.at(-1)?.type === 'reasoning') all.pop();
  return all;
}

/** Returns a turn without its reasoning: the same object if it has none, undefined if nothing is left. */
export function removeReasoning(native: NativeContent): NativeContent | undefined {
  const left = removeParts(native, (item) => isRecord(item) && item['type'] === 'reasoning');
  if (left === undefined || left === native) return left;
  return {
    ...left,
    content: left.content.map((item) => (isRecord(item) ? (withLegalId(item, true) as JsonValue) : item)),
  };
}

/** Returns true for an item that calls a tool of the conversation. */
export function isCallItem({ type }: Fields): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

/** Returns a call as the model wrote it, with the id and the name that the provider accepts in a conversation. */
function writeNativeCall(item: Fields, call: FunctionItem): Item {
  const { name, arguments: given } = item;
  const written = { ...item, call_id: call.call_id, name: typeof name === 'string' ? makeLegalName(name) : call.name };
  if (item['type'] === 'custom_tool_call') return written as unknown as Item;
  const isText = typeof given === 'string' && given.trim() !== '';
  const args = isText ? given : isRecord(given) ? writeArguments(given) : call.arguments;
  return { ...written, arguments: args } as unknown as Item;
}

/** Removes the id of an item where the provider would look up reasoning by it and refuse the request because that is missing. */
function withLegalId(item: Fields, hasLost: boolean): Fields {
  const { id, ...rest } = item;
  const isTooLong = typeof id === 'string' && id.length > MAX_ITEM_ID_CHARS && item['type'] !== 'reasoning';
  return isTooLong || (hasLost && PAIRED.has(item['type'])) ? rest : item;
}
