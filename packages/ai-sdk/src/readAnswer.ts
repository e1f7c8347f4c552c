import { type ModelResponse, ThrottleError, type Usage } from 'toolwright';
import type { FinishReason } from 'toolwright/adapters';
import { readCalls, sumUsage, readTokenCount, createAnswerErrors, type AnswerErrors } from 'toolwright/internal';
import { type Fields, isRecord } from 'toolwright/internal/light';
import type { AiTools } from './writeModelTools.js';
import { isOwnCall, readNativeParts } from './readNativeParts.js';

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['tool-calls', 'tool_calls'],
  ['length', 'length'],
  ['content-filter', 'content_filter'],
] as const);

/** The model and the request of an answer. */
export interface Asked {
  /** The adapter's name, as errors show it. */
  readonly adapter: string;
  readonly provider: string;
  /** True if the request had a schema for the answer. */
  readonly wantsForm: boolean;
  readonly tools: Pick<AiTools, 'bridge' | 'received'>;
}

/** Returns true for an answer that Claude paused: it expects a request that continues it. */
export function isPaused(result: unknown): boolean {
  return isRecord(result) && reasonOf(result['finishReason']).raw === 'pause_turn';
}

/**
 * Reads an answer of a model. It consists of several results if the provider paused. Its type is declared by the provider's package,
 * but every part of it is checked (docs/contract.md, 16).
 *
 * @throws PromptEvaluationError with phase `response` (E702), with the received value; ThrottleError if the answer broke off
 */
export function readAnswer({ adapter, provider, wantsForm, tools }: Asked, results: readonly unknown[]): ModelResponse {
  const refuse = createAnswerErrors(adapter);
  const pieces = results.map((result) => readParts(result, refuse));
  const content = pieces.flat();
  const result = results.at(-1) as Fields;
  const { unified, raw } = reasonOf(result['finishReason']);
  if (unified === 'error' || unified === 'interrupted') {
    throw new ThrottleError(`${adapter} broke off its answer: ${typeof raw === 'string' ? raw : unified}.`, {
      kind: 'connection',
      failure: 'cut_off',
    });
  }
  const usage = sumUsage(results.map((each) => readUsage((each as Fields)['usage'])));
  const text = textOf(content, wantsForm ? result['structuredOutputText'] : undefined);
  // A refusal makes no calls, whatever else the answer holds.
  if (raw === 'refusal') return { text, toolCalls: [], finishReason: 'refusal', usage };
  const toolCalls = readCalls(
    content.filter(isOwnCall).map((part) => ({
      id: part['toolCallId'],
      name: part['toolName'],
      arguments: part['input'],
      came: part,
    })),
    refuse,
  ).map((call) => tools.received(call));
  const known = FINISH_REASONS.get(unified) ?? 'other';
  const finishReason = known === 'stop' && toolCalls.length > 0 ? 'tool_calls' : known;
  const native = readNativeParts(provider, pieces, tools.bridge);
  return { text, toolCalls, finishReason, usage, ...(native === undefined ? {} : { native }) };
}

function readParts(result: unknown, refuse: AnswerErrors): readonly Fields[] {
  const given: unknown = isRecord(result) ? result['content'] : undefined;
  if (!Array.isArray(given)) throw refuse('did not answer with content', result);
  return given.map((part: unknown): Fields => {
    if (!isRecord(part) || typeof part['type'] !== 'string') throw refuse('answered an invalid part', part);
    return part;
  });
}

/** Reads the finish reason: an object in both versions, but often only a string in hand-written models. */
function reasonOf(given: unknown): { readonly unified: unknown; readonly raw: unknown } {
  return isRecord(given) ? { unified: given['unified'], raw: given['raw'] } : { unified: given, raw: undefined };
}

function textOf(content: readonly Fields[], form: unknown): string | null {
  if (typeof form === 'string') return form;
  const texts = content.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  return texts.length === 0 ? null : texts.join('');
}

function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = isRecord(usage['inputTokens']) ? usage['inputTokens'] : {};
  const output = isRecord(usage['outputTokens']) ? usage['outputTokens'] : {};
  const inputTokens = readTokenCount(input['total']);
  const outputTokens = readTokenCount(output['total']);
  const isCounted = inputTokens !== undefined && outputTokens !== undefined;
  const totalTokens = isCounted ? inputTokens + outputTokens : undefined;
  const cachedInputTokens = readTokenCount(input['cacheRead']);
  const cacheWriteTokens = readTokenCount(input['cacheWrite']);
  const reasoningTokens = readTokenCount(output['reasoning']);
  return {
    inputTokens,
    outputTokens,
    totalTokens,
    cachedInputTokens,
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
