import type { JsonValue, ModelResponse, ToolCall, Usage } from 'toolwright';
import type { FinishReason, NativeContent } from 'toolwright/adapters';
import { readCalls, readTokenCount, createAnswerErrors, type AnswerErrors } from 'toolwright/internal';
import { type Fields, isRecord } from 'toolwright/internal/light';
import { isCallItem } from './writeNativeItems.js';
import { isSearchCall, SEARCH_TOOL } from './searchItems.js';
import { PROVIDER } from './writeResponseItems.js';

/** The separator between the texts of two messages of one answer. */
export const BETWEEN_MESSAGES = '\n\n';

/** The states of a response with content; servers without states leave the field out. */
const SPOKEN: ReadonlySet<unknown> = new Set([undefined, null, 'completed', 'incomplete']);

/**
 * Reads a response. Compatible servers do not always keep to the declared type, so every part is checked (docs/contract.md, 16).
 *
 * @param adapter the name that the error shows
 * @param received maps a call of the answer to the tool that it is for
 * @throws PromptEvaluationError with phase `response` (E702), with the received value
 */
export function readResponse(
  adapter: string,
  response: unknown,
  received: (call: ToolCall) => ToolCall = (call) => call,
): ModelResponse {
  const refuse = createAnswerErrors(adapter);
  if (!isRecord(response) || !Array.isArray(response['output'])) {
    throw refuse('did not answer with a response', response);
  }
  const { status } = response;
  if (!SPOKEN.has(status)) throw refuse(`answered a response that is ${String(status)}`, response);
  const items = response['output'].map((item: unknown) => {
    if (!isRecord(item) || typeof item['type'] !== 'string') throw refuse('answered an invalid item', item);
    return item;
  });
  const usage = readUsage(response['usage']);
  const messages = items.filter(isMessage).map((item) => readContent(item, refuse));
  const refusal = messages.map((message) => message.refusal).join('');
  // A refusal makes no calls, whatever else the response holds.
  if (refusal !== '') {
    const said = nativeOf(items.filter((item) => !isCallItem(item)));
    return { text: refusal, toolCalls: [], finishReason: 'refusal', usage, ...said };
  }
  const calls = items.filter(isCallItem);
  const toolCalls = readCalls(
    calls.map((item) => {
      const given = item[item['type'] === 'custom_tool_call' ? 'input' : 'arguments'];
      const name = isSearchCall(item) ? SEARCH_TOOL : item['name'];
      return { id: item['call_id'], name, arguments: given, came: item };
    }),
    refuse,
  );
  const finishReason = findCutReason(response, calls) ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
  const text = textOf(messages);
  return { text, toolCalls: toolCalls.map(received), finishReason, usage, ...nativeOf(items) };
}

/** Returns the reason why an answer is incomplete; undefined for a complete one. */
function findCutReason(
  { status, incomplete_details: details }: Fields,
  calls: readonly Fields[],
): FinishReason | undefined {
  const isCut = status === 'incomplete' || calls.some((call) => call['status'] === 'incomplete');
  if (!isCut) return undefined;
  return isRecord(details) && details['reason'] === 'content_filter' ? 'content_filter' : 'length';
}

function isMessage({ type }: Fields): boolean {
  return type === 'message';
}

interface MessageContent {
  /** Null for messages without any text. */
  readonly text: string | null;
  /** Empty if the model did not refuse. */
  readonly refusal: string;
}

function readContent({ content }: Fields, refuse: AnswerErrors): MessageContent {
  if (typeof content === 'string') return { text: content, refusal: '' };
  if (!Array.isArray(content)) throw refuse('answered a message without content', content);
  const parts = content.filter(isRecord);
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const refusals = parts.flatMap(({ refusal }) => (typeof refusal === 'string' ? [refusal] : []));
  return { text: texts.length === 0 ? null : texts.join(''), refusal: refusals.join('') };
}

function textOf(messages: readonly MessageContent[]): string | null {
  const texts = messages.flatMap(({ text }) => (text === null ? [] : [text]));
  return texts.length === 0 ? null : texts.filter((text) => text !== '').join(BETWEEN_MESSAGES);
}

/** Returns all items for the next request, complete; nothing if the answer has none. */
function nativeOf(items: readonly Fields[]): { readonly native?: NativeContent } {
  return items.length === 0 ? {} : { native: { provider: PROVIDER, content: items as readonly JsonValue[] } };
}

function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const { input_tokens_details: details, output_tokens_details: outputDetails } = usage;
  // Only the newest models charge for writing to a cache.
  const cacheWriteTokens = isRecord(details) ? readTokenCount(details['cache_write_tokens']) : undefined;
  const reasoningTokens = isRecord(outputDetails) ? readTokenCount(outputDetails['reasoning_tokens']) : undefined;
  return {
    inputTokens: readTokenCount(usage['input_tokens']),
    outputTokens: readTokenCount(usage['output_tokens']),
    totalTokens: readTokenCount(usage['total_tokens']),
    cachedInputTokens: isRecord(details) ? readTokenCount(details['cached_tokens']) : undefined,
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
