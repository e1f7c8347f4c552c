import { ThrottleError } from '../../error/ThrottleError.js';
import type { FinishReason, ModelResponse } from '../../interface/ModelAdapter.js';
import { tokenCount } from '../../provider/tokenCount.js';
import { isFields, type Fields } from '../../provider/fields.js';
import { readCalls } from '../../provider/readCalls.js';
import { unusable } from '../../provider/unusable.js';
import type { Usage } from '../../value/Usage.js';
import type { AiTools } from './modelTools.js';
import { isOwnCall, nativeParts } from './nativeParts.js';

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

/**
 * Reads an answer of a model. Its type is declared by the provider's package, but every part of it is checked
 * (docs/contract.md, 16).
 *
 * @throws PromptEvaluationError with phase `response` (E702), with what was received; ThrottleError if the answer broke off
 */
export function readAnswer({ adapter, provider, wantsForm, tools }: Asked, result: unknown): ModelResponse {
  const refuse = unusable(adapter);
  const given: unknown = isFields(result) ? result['content'] : undefined;
  if (!isFields(result) || !Array.isArray(given)) throw refuse('did not answer with content', result);
  const content = given.map((part: unknown): Fields => {
    if (!isFields(part) || typeof part['type'] !== 'string') throw refuse('answered an invalid part', part);
    return part;
  });
  const { unified, raw } = reasonOf(result['finishReason']);
  if (unified === 'error' || unified === 'interrupted') {
    throw new ThrottleError(`${adapter} broke off its answer: ${typeof raw === 'string' ? raw : unified}.`, {
      kind: 'connection',
    });
  }
  const usage = readUsage(result['usage']);
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
  const native = nativeParts(provider, content, tools.bridge);
  return { text, toolCalls, finishReason, usage, ...(native === undefined ? {} : { native }) };
}

/** Reads the finish reason: an object in both versions, but often just a string in models written by hand. */
function reasonOf(given: unknown): { readonly unified: unknown; readonly raw: unknown } {
  return isFields(given) ? { unified: given['unified'], raw: given['raw'] } : { unified: given, raw: undefined };
}

function textOf(content: readonly Fields[], form: unknown): string | null {
  if (typeof form === 'string') return form;
  const texts = content.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  return texts.length === 0 ? null : texts.join('');
}

function readUsage(usage: unknown): Usage | undefined {
  if (!isFields(usage)) return undefined;
  const input = isFields(usage['inputTokens']) ? usage['inputTokens'] : {};
  const output = isFields(usage['outputTokens']) ? usage['outputTokens'] : {};
  const inputTokens = tokenCount(input['total']);
  const outputTokens = tokenCount(output['total']);
  const isCounted = inputTokens !== undefined && outputTokens !== undefined;
  const totalTokens = isCounted ? inputTokens + outputTokens : undefined;
  const cachedInputTokens = tokenCount(input['cacheRead']);
  const cacheWriteTokens = tokenCount(input['cacheWrite']);
  const reasoningTokens = tokenCount(output['reasoning']);
  return {
    inputTokens,
    outputTokens,
    totalTokens,
    cachedInputTokens,
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
