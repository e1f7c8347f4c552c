import type { JsonValue, ModelResponse, ToolCall, Usage } from 'toolwright';
import type { FinishReason, NativeContent } from 'toolwright/adapters';
import {
  readCalls,
  type ProviderToolCall,
  readTokenCount,
  createAnswerErrors,
  type AnswerErrors,
} from 'toolwright/internal';
import { type Fields, isRecord } from 'toolwright/internal/light';
import { CHAT, REASONING_FIELDS } from './writeChatMessages.js';

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['length', 'length'],
  ['content_filter', 'content_filter'],
] as const);

/**
 * Reads a chat completion. Compatible servers do not always keep to the declared type, so every part is checked
 * (docs/contract.md, 16).
 *
 * @param adapter the name that the error shows
 * @param received maps a call of the answer to the tool that it is for
 * @throws PromptEvaluationError with phase `response` (E702), with the received value
 */
export function readCompletion(
  adapter: string,
  completion: unknown,
  received: (call: ToolCall) => ToolCall = (call) => call,
): ModelResponse {
  const refuse = createAnswerErrors(adapter);
  if (!isRecord(completion) || !Array.isArray(completion['choices'])) {
    throw refuse('did not answer with a chat completion', completion);
  }
  const choice: unknown = completion['choices'][0];
  if (choice === undefined) throw refuse('answered without any choice', completion);
  const message = isRecord(choice) ? choice['message'] : undefined;
  if (!isRecord(choice) || !isRecord(message)) throw refuse('answered a choice without a message', choice);
  const usage = readUsage(completion['usage']);
  const refusal = message['refusal'];
  // A refusal makes no calls, whatever else the message holds.
  if (typeof refusal === 'string' && refusal !== '') {
    return { text: refusal, toolCalls: [], finishReason: 'refusal', usage };
  }
  const text = readText(message['content']);
  if (text === undefined) throw refuse('answered an invalid text', message['content']);
  const toolCalls = readCalls(listCalls(message, refuse), refuse).map(received);
  const given = FINISH_REASONS.get(choice['finish_reason']) ?? 'other';
  // Several servers, and the provider itself if a tool was required, send `stop` together with tool calls.
  const finishReason = given === 'stop' && toolCalls.length > 0 ? 'tool_calls' : given;
  return { text, toolCalls, finishReason, usage, ...nativeOf(message, toolCalls) };
}

/** Returns the message as received if text and calls do not express all of it: reasoning, and calls through a bridge. */
function nativeOf(message: Fields, calls: readonly ToolCall[]): { readonly native?: NativeContent } {
  const isBridged = calls.some(({ wireName }) => wireName !== undefined);
  const isThought = REASONING_FIELDS.some((field) => message[field] !== undefined && message[field] !== null);
  if (!isBridged && !isThought) return {};
  return { native: { provider: CHAT, content: [message as Readonly<Record<string, JsonValue>>] } };
}

/** Returns the text, or null; undefined for anything else. Some servers send a text in parts. */
export function readText(content: unknown): string | null | undefined {
  if (content === null || content === undefined) return null;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const parts: readonly unknown[] = content;
  return parts.map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

function listCalls(message: Fields, refuse: AnswerErrors): readonly ProviderToolCall[] {
  const { tool_calls: calls, function_call: single } = message;
  // Older servers send the older form, with one call and without an id.
  if ((calls === null || calls === undefined) && isRecord(single)) return [readCall({ function: single })];
  if (calls === null || calls === undefined) return [];
  if (!Array.isArray(calls)) throw refuse('answered tool calls that are not a list', calls);
  return calls.map((entry: unknown, index) => {
    if (!isRecord(entry)) throw refuse(`answered an invalid tool call ${String(index)}`, entry);
    if ((entry['type'] ?? 'function') !== 'function') {
      throw refuse(`answered a tool call ${String(index)} of a type that was not offered`, entry);
    }
    return readCall(entry);
  });
}

function readCall(entry: Fields): ProviderToolCall {
  const called = isRecord(entry['function']) ? entry['function'] : {};
  return { id: entry['id'], name: called['name'], arguments: called['arguments'], came: entry };
}

function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const { prompt_tokens_details: details, completion_tokens_details: outputDetails } = usage;
  // Only the newest models charge for writing to a cache.
  const cacheWriteTokens = isRecord(details) ? readTokenCount(details['cache_write_tokens']) : undefined;
  const reasoningTokens = isRecord(outputDetails) ? readTokenCount(outputDetails['reasoning_tokens']) : undefined;
  return {
    inputTokens: readTokenCount(usage['prompt_tokens']),
    outputTokens: readTokenCount(usage['completion_tokens']),
    totalTokens: readTokenCount(usage['total_tokens']),
    cachedInputTokens: isRecord(details) ? readTokenCount(details['cached_tokens']) : undefined,
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
