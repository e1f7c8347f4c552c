import type { JsonValue, ModelResponse, Usage } from 'toolwright';
import type { FinishReason } from 'toolwright/adapters';
import { readCalls, recordPieces, sumUsage, readTokenCount, createAnswerErrors } from 'toolwright/internal';
import { type Fields, isRecord } from 'toolwright/internal/light';
import { PROVIDER } from './writeAssistantBlocks.js';
import { readPrefixReport } from './readPrefixReport.js';

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
] as const);

/**
 * Reads an answer. It consists of several messages if the provider paused and was asked to continue. Every part of their form is
 * checked (docs/contract.md, 16).
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError with phase `response` (E702), with the received value
 */
export function readMessage(adapter: string, messages: readonly unknown[]): ModelResponse {
  const refuse = createAnswerErrors(adapter);
  const pieces = messages.map((message) => {
    const content = isRecord(message) ? message['content'] : undefined;
    if (!Array.isArray(content)) throw refuse('did not answer with a message', message);
    return content.map((block: unknown) => {
      if (!isRecord(block) || typeof block['type'] !== 'string') throw refuse('answered an invalid block', block);
      return block;
    });
  });
  const blocks = pieces.flat();
  const last = messages.at(-1) as Fields;
  const finishReason = FINISH_REASONS.get(last['stop_reason']) ?? 'other';
  const usage = sumUsage(messages.map((message) => readUsage((message as Fields)['usage'])));
  const text = textOf(blocks);
  const miss = readPrefixReport(messages[0]);
  const cacheMiss = miss === undefined ? {} : { cacheMiss: miss };
  // A refusal makes no calls, whatever else the message holds.
  if (finishReason === 'refusal') {
    return { text: text ?? explanationOf(last['stop_details']), toolCalls: [], finishReason, usage, ...cacheMiss };
  }
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  const toolCalls = readCalls(
    calls.map((block) => ({ id: block['id'], name: block['name'], arguments: block['input'], came: block })),
    refuse,
  );
  // Unchanged, since they are sent back: later thinking is bound to each of them.
  const native = recordPieces(PROVIDER, pieces as readonly (readonly JsonValue[])[]);
  return { text, toolCalls, finishReason, usage, ...cacheMiss, ...(native === undefined ? {} : { native }) };
}

/** Returns true if the provider paused and expects a request that continues the answer. */
export function isPaused(message: unknown): boolean {
  return isRecord(message) && message['stop_reason'] === 'pause_turn';
}

function textOf(blocks: readonly Fields[]): string | null {
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  return texts.length === 0 ? null : texts.join('');
}

function explanationOf(details: unknown): string | null {
  const explanation = isRecord(details) ? details['explanation'] : undefined;
  return typeof explanation === 'string' ? explanation : null;
}

/** Reads usage: the provider counts tokens read from the cache and written to it apart from the other input. */
function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const cachedInputTokens = readTokenCount(usage['cache_read_input_tokens']);
  const cacheWriteTokens = readTokenCount(usage['cache_creation_input_tokens']);
  const inputTokens = addCounts(addCounts(readTokenCount(usage['input_tokens']), cachedInputTokens), cacheWriteTokens);
  const outputTokens = readTokenCount(usage['output_tokens']);
  const totalTokens = addCounts(inputTokens, outputTokens);
  return { inputTokens, outputTokens, totalTokens, cachedInputTokens, ...toCacheWrites(cacheWriteTokens) };
}

function toCacheWrites(cacheWriteTokens: number | undefined): Pick<Usage, 'cacheWriteTokens'> {
  return cacheWriteTokens === undefined ? {} : { cacheWriteTokens };
}

function addCounts(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : one + other;
}
