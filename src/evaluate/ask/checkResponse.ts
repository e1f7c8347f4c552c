import { isArray, isRecord } from '../../common/guards.js';
import { NATIVE_EXTENT } from '../../common/limits.js';
import { describeValue } from '../../common/text.js';
import { boundText, walkValue } from '../../common/walkValue.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { FinishReason, ModelPart, ModelResponse } from '../../interface/ModelAdapter.js';
import { nativeForm, usageFields } from '../../value/messageForm.js';

type Fields<T> = { readonly [K in keyof T]?: unknown };

const reasons: Readonly<Record<FinishReason, 1>> = {
  stop: 1,
  tool_calls: 1,
  length: 1,
  content_filter: 1,
  refusal: 1,
  other: 1,
};

/**
 * Checks the answer of an adapter, which may be written without types: unchecked, a wrong one would fail somewhere in the loop.
 *
 * @throws PromptEvaluationError E702 with the place in the answer
 */
export function checkResponse(adapter: string, given: unknown): ModelResponse {
  const refuse = (place: string, expected: string, value: unknown): never => {
    const problem = `${place === '' ? '' : `${place}: `}expected ${expected}, got ${describeValue(value)}`;
    throw createAdapterError(adapter, `its answer is no ModelResponse: ${problem}`);
  };
  if (!isRecord(given)) return refuse('', 'an object', given);
  const { text, toolCalls, finishReason, usage, native } = given as Fields<ModelResponse>;
  if (typeof text !== 'string' && text !== null) refuse('text', 'text or null', text);
  if (!isArray(toolCalls)) return refuse('toolCalls', 'a list', toolCalls);
  toolCalls.forEach((call, index) => {
    checkCall(`toolCalls[${String(index)}]`, call, refuse);
  });
  if (typeof finishReason !== 'string' || !Object.hasOwn(reasons, finishReason))
    refuse('finishReason', `one of ${Object.keys(reasons).join(', ')}`, finishReason);
  if (usage !== undefined) checkUsage(usage, refuse);
  if (native !== undefined) checkNative(native, refuse);
  return given as unknown as ModelResponse;
}

/**
 * Checks a part of the answer of an adapter that streams; the last one holds a response, which is checked as well.
 *
 * @throws PromptEvaluationError E702
 */
export function checkPart(adapter: string, given: unknown): ModelPart {
  if (!isRecord(given)) throw createPartError(adapter, describeValue(given));
  const { kind, text, response, id, name } = given;
  if (kind === 'response') return { kind, response: checkResponse(adapter, response) };
  if (kind !== 'text' && kind !== 'reasoning' && kind !== 'tool_input') {
    const known = 'text, reasoning, tool_input, response';
    throw createPartError(adapter, `kind: expected one of ${known}, got ${describeValue(kind)}`);
  }
  // Checked for each piece of an answer.
  const isPlain = kind !== 'tool_input' || (typeof id === 'string' && typeof name === 'string');
  if (isPlain && typeof text === 'string') return given as unknown as ModelPart;
  const texts = kind === 'tool_input' ? { text, id, name } : { text };
  for (const [field, value] of Object.entries(texts)) {
    if (typeof value !== 'string')
      throw createPartError(adapter, `${kind}.${field}: expected text, got ${describeValue(value)}`);
  }
  return given as unknown as ModelPart;
}

/** Checks the value that the method `stream` of an adapter returned. @throws PromptEvaluationError E702 */
export function checkStream(adapter: string, given: unknown): AsyncIterable<unknown> {
  if (isRecord(given) && Symbol.asyncIterator in given) return given as AsyncIterable<unknown>;
  throw createAdapterError(adapter, `its method stream returned no async iterable, but ${describeValue(given)}`);
}

type Refuse = (place: string, expected: string, value: unknown) => never;

function checkCall(place: string, call: unknown, refuse: Refuse): void {
  if (!isRecord(call)) return refuse(place, 'an object', call);
  const { id, name, arguments: given, wireName } = call;
  if (typeof id !== 'string') refuse(`${place}.id`, 'text', id);
  if (typeof name !== 'string' || name === '') refuse(`${place}.name`, 'the name of a tool', name);
  if (typeof given !== 'string' && typeof given !== 'object')
    refuse(`${place}.arguments`, 'JSON text, an object or null', given);
  if (wireName !== undefined && typeof wireName !== 'string') refuse(`${place}.wireName`, 'text', wireName);
}

function checkNative(native: unknown, refuse: Refuse): void {
  const misfit = nativeForm(native);
  if (misfit !== undefined)
    refuse(misfit.path === '' ? 'native' : `native.${misfit.path}`, misfit.expected, misfit.got);
  const excess = walkValue(native, NATIVE_EXTENT);
  if (excess !== undefined) refuse('native', boundText(excess, NATIVE_EXTENT), native);
}

function checkUsage(usage: unknown, refuse: Refuse): void {
  if (!isRecord(usage)) return refuse('usage', 'an object', usage);
  for (const name of Object.keys(usageFields)) {
    const count = usage[name];
    if (count !== undefined && !(Number.isFinite(count) && (count as number) >= 0))
      refuse(`usage.${name}`, 'a number of tokens', count);
  }
}

function createPartError(adapter: string, problem: string): PromptEvaluationError {
  return createAdapterError(adapter, `a part of its stream is no ModelPart: ${problem}`);
}

function createAdapterError(adapter: string, problem: string): PromptEvaluationError {
  return new PromptEvaluationError(`The adapter ${adapter} is broken: ${problem}.`, {
    phase: 'response',
    code: 'E702',
    place: adapter,
    remedy: 'Correct the adapter; modelAdapterContract of @toolwright/contracts checks it.',
  });
}
