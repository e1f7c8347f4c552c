import type { OpenAI } from 'openai';
import type { JsonValue } from 'toolwright';
import type { NativeContent } from 'toolwright/adapters';
import { makeLegalName, removeParts } from 'toolwright/internal';
import { type Fields, isRecord } from 'toolwright/internal/light';
import { writeArguments } from './writeArguments.js';
import { MAX_ITEM_ID_CHARS } from './limits.js';
import { isSearchCall, writeNativeSearch, writeSearchCall } from './searchItems.js';

type Item = OpenAI.Responses.ResponseInputItem;

/** A call as it is written for the provider. */
export type FunctionItem = OpenAI.Responses.ResponseFunctionToolCall;

/** The types of items with an id that the provider accepts only together with the reasoning before them. */
const PAIRED: ReadonlySet<unknown> = new Set(['message', 'function_call', 'custom_tool_call', 'tool_search_call']);

/** The settings that decide how a turn is written. */
export interface NativeSettings {
  /** True if the provider stores its answers, and finds reasoning by its id. */
  readonly isStored: boolean;
  /** The name of the tool that is declared as the provider's own search; undefined if there is none. */
  readonly search: string | undefined;
}

/** Writes a call that is not in the provider's form: as a function call, or as a search where that is the provider's own. */
export function writeCall(call: FunctionItem, search: string | undefined): Item {
  return call.name === search ? writeSearchCall(call.call_id, call.arguments) : call;
}

/**
 * Writes a turn as the provider sent it: every item in its place, complete. Only items that the provider would refuse are left
 * out: reasoning that is found neither in the item nor by its id, reasoning that nothing follows, and calls that the conversation
 * does not have. A call without an item follows at the end.
 *
 * @param calls the calls of the conversation, in order, with the ids that are sent
 */
export function writeNativeItems(
  content: NativeContent['content'],
  calls: readonly FunctionItem[],
  { isStored, search }: NativeSettings,
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
        ? left.splice(0, 1).map((call) => writeNativeCall(known, call, search))
        : [known as unknown as Item];
    });
  all.push(...left.map((call) => writeCall(call, search)));
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
export function isCallItem(item: Fields): boolean {
  const { type } = item;
  return type === 'function_call' || type === 'custom_tool_call' || isSearchCall(item);
}

/** Returns a call as the model wrote it, with the id and the name that the provider accepts in a conversation. */
function writeNativeCall(item: Fields, call: FunctionItem, search: string | undefined): Item {
  const { name, arguments: given } = item;
  // Another model, or another host, may not know the provider's search: it gets a function call.
  if (isSearchCall(item)) return search === undefined ? call : writeNativeSearch(item, call.call_id);
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
