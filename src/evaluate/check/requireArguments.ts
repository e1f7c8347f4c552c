// Checks the arguments of runs and calls for callers without types: unchecked, a wrong one would fail somewhere inside. `place` is the
// method that was called. Errors are PromptErrors E411, unless a function says otherwise.
import { isThenable } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { MIN_SPILLED_TOKENS } from '../../common/limits.js';
import { describeValue } from '../../common/text.js';
import {
  createEvaluationError,
  createPromptError,
  type PromptError,
  type PromptEvaluationError,
} from '../../error/PromptError.js';
import { requireOptionNames, requireOptions } from '../../error/optionNames.js';
import { requireId } from '../../error/requireId.js';
import { Conversation } from '../conversation/Conversation.js';
import { READ_RESULT } from '../conversation/history/LongResults.js';
import type { HistoryOptions } from '../conversation/history/shortenHistory.js';
import type { DispatchServices } from '../../dispatch/DispatchContext.js';
import type { CallOptions, EvaluateOptions } from '../RunOptions.js';
import { callOptionForms, evaluateOptionForms, historyOptionNames } from './runOptionForms.js';
import type { ModelAdapter } from '../../interface/ModelAdapter.js';
import type { BoundPrompt } from '../../prompt/BoundPrompt.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import { checkMessages } from './checkMessages.js';

/** True if the value is a `RenderedPrompt`, of any copy of the package. */
export function isRendering(value: unknown): value is RenderedPrompt {
  return hasMethod<RenderedPrompt>(value, 'toolSchemas');
}

export function nameOf(value: unknown): string {
  return isThenable(value) ? 'a promise that was not awaited' : describeValue(value);
}

/** @throws PromptError E413 */
export function requireCallOptions(place: string, options: CallOptions): void {
  requireOptions(place, options, callOptionForms);
}

/**
 * Checks the arguments of a run.
 *
 * @returns the options with a checked copy of the messages
 * @throws PromptError E411, E412, E413; PromptEvaluationError E709 for a run id that is not a text
 */
export function requireRun<O extends EvaluateOptions>(
  place: string,
  prompt: unknown,
  options: O,
  services: Pick<DispatchServices, 'partLimit'>,
): O {
  requirePrompt(place, prompt);
  requireAdapter(place, options);
  requireOptions(place, options, evaluateOptionForms);
  if (options.runId !== undefined) requireId(place, 'run', options.runId);
  requireOptionNames(`${place}({ history })`, options.history ?? {}, historyOptionNames);
  return requireMessages(place, options, services);
}

export function requireRendering(place: string, given: unknown): void {
  if (!isRendering(given)) throw refusal(place, 'what prompt.render() returns', given);
}

export function requirePrompt(place: string, given: unknown): void {
  if (!isRendering(given) && !hasMethod<BoundPrompt>(given, 'render'))
    throw refusal(place, 'a prompt of the application or a rendering of it', given);
}

export function requireAdapter(place: string, options: unknown): void {
  const adapter: unknown = (options as { readonly adapter?: unknown } | null | undefined)?.adapter;
  if (!hasMethod<ModelAdapter>(adapter, 'complete'))
    throw refusal(place, 'a model adapter as options.adapter', adapter);
}

/** Returns the options with a checked copy of the messages. @param place the method that was called @throws PromptError E412 */
export function requireMessages<O extends Pick<EvaluateOptions, 'messages'>>(
  place: string,
  options: O,
  { partLimit }: Pick<DispatchServices, 'partLimit'>,
): O {
  if (options.messages === undefined) return options;
  return { ...options, messages: checkMessages(place, options.messages, { partLimit }) };
}

export function requireConversation(place: string, given: unknown): void {
  if (!(given instanceof Conversation)) throw refusal(place, 'a Conversation as options.conversation', given);
}

/** @throws PromptError E411; PromptEvaluationError E736 if long results are to give way to handles that no tool reads */
export function requireHistory(
  place: string,
  { history }: EvaluateOptions,
  { toolsByName, prompt }: RenderedPrompt,
): void {
  if (history === undefined) return;
  const { maxTokens, summarise, spillAbove } = history;
  if (!isAtLeast(maxTokens, 1)) throw refusal(place, 'a positive number as history.maxTokens', maxTokens);
  if (!hasMethod<HistoryOptions>(history, 'summarise'))
    throw refusal(place, 'a function as history.summarise', summarise);
  if (spillAbove === undefined) return;
  if (!isAtLeast(spillAbove, MIN_SPILLED_TOKENS))
    throw refusal(place, `a number from ${String(MIN_SPILLED_TOKENS)} as history.spillAbove`, spillAbove);
  if (!toolsByName.has(READ_RESULT)) throw unreadable(`${prompt.ns}/${prompt.key}`);
}

export function requireCall(place: string, given: unknown): void {
  if (!isObject(given)) throw refusal(place, 'a call as { id, name, arguments }', given);
}

export function requireCalls(place: string, given: unknown): void {
  if (!Array.isArray(given)) throw refusal(place, 'a list of calls', given);
  for (const call of given) requireCall(place, call);
}

function hasMethod<T>(value: unknown, name: keyof T): boolean {
  return typeof (value as T | null | undefined)?.[name] === 'function';
}

/** False for NaN as well. */
export function isAtLeast(value: unknown, least: number): boolean {
  return typeof value === 'number' && value >= least;
}

function unreadable(prompt: string): PromptEvaluationError {
  const problem = `is set, and ${prompt} offers no tool ${READ_RESULT}`;
  return createEvaluationError(problem, { code: 'E736', place: 'history.spillAbove' });
}

function refusal(place: string, expected: string, given: unknown): PromptError {
  return createPromptError(`expected ${expected}, got ${nameOf(given)}`, { code: 'E411', place });
}
