// Checks of arguments for callers without types. Unchecked, a wrong argument would fail somewhere inside.
import { isThenable } from '../common/classes.js';
import { copyOwnOptions } from '../common/objects.js';
import { describeValue } from '../common/text.js';
import { createFinding } from '../error/Finding.js';
import { PromptError, PromptEvaluationError, PromptValidationError } from '../error/PromptError.js';
import { requireOptions as requireValues, findUnknownOption, type OptionNames } from '../error/optionNames.js';
import { requireId } from '../error/requireId.js';
import { formatMessage } from '../error/ToolwrightError.js';
import { Conversation } from '../evaluate/conversation/Conversation.js';
import { READ_RESULT } from '../evaluate/conversation/LongResults.js';
import type { HistoryOptions } from '../evaluate/conversation/shortenHistory.js';
import type { DispatchServices } from '../dispatch/CallRun.js';
import type { CallOptions, EvaluateOptions } from '../evaluate/RunOptions.js';
import { callOptionForms, evaluateOptionForms, historyOptionForms } from '../evaluate/runOptionForms.js';
import type { ModelPrice } from '../limit/computeCost.js';
import type { ModelAdapter } from '../interface/ModelAdapter.js';
import type { BoundPrompt } from '../prompt/BoundPrompt.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import { checkMessages } from '../evaluate/checkMessages.js';
import { applicationOptionNames, limitNames, type ApplicationOptions } from './ApplicationOptions.js';

const priceNames: OptionNames<ModelPrice> = { input: 1, output: 1, cachedInput: 1, cacheWrite: 1 };

/** A shorter key could be guessed. */
const LEAST_KEY_CHARS = 32;

/** A result of fewer estimated tokens is hardly longer than its beginning. */
const LEAST_SPILLED = 200;

/** Returns true if the value is a `RenderedPrompt` of any copy of the package. */
export function isRendering(value: unknown): value is RenderedPrompt {
  return hasMethod<RenderedPrompt>(value, 'toolSchemas');
}

/** Describes an unexpected value for a message. */
export function describeGiven(value: unknown): string {
  return isThenable(value) ? 'a promise that was not awaited' : describeValue(value);
}

/**
 * Returns the own options of the object passed to `createApplication`.
 *
 * @throws PromptValidationError E312 without options, or for an unknown or invalid option
 */
export function requireOptions(given: unknown): ApplicationOptions {
  if (typeof given !== 'object' || given === null)
    throw createOptionsError(`expected { prompts: [...] }, got ${describeGiven(given)}`);
  const options = copyOwnOptions(given as ApplicationOptions);
  const problem =
    findUnknownOption(options, applicationOptionNames) ??
    findUnknownOption(options.limits ?? {}, limitNames) ??
    findUnknownMode(options.repair) ??
    findWrongMask(options.maskErrors) ??
    findWrongPrice(options.prices) ??
    findWrongKeys(options.keys);
  if (problem !== undefined) throw createOptionsError(problem);
  return options;
}

function createOptionsError(problem: string): PromptValidationError {
  return new PromptValidationError([createFinding('E312', problem, { place: 'createApplication' })]);
}

/** Describes the first fault in a table of prices; returns undefined if the table is valid. */
function findWrongPrice(prices: unknown = {}): string | undefined {
  if (typeof prices !== 'object' || prices === null) return `prices: expected a table, got ${describeGiven(prices)}`;
  for (const [model, price] of Object.entries(prices as Readonly<Record<string, unknown>>)) {
    const place = `prices[${JSON.stringify(model)}]`;
    if (typeof price !== 'object' || price === null)
      return `${place}: expected { input, output }, got ${describeGiven(price)}`;
    const unknown = findUnknownOption(price, priceNames);
    if (unknown !== undefined) return `${place}: ${unknown}`;
    const { input, output, cachedInput = 0, cacheWrite = 0 } = price as ModelPrice;
    for (const [name, amount] of Object.entries({ input, output, cachedInput, cacheWrite }))
      if (!isAtLeast(amount, 0) || !Number.isFinite(amount))
        return `${place}.${name}: expected an amount for a million tokens, got ${describeGiven(amount)}`;
  }
  return undefined;
}

/** Describes the fault of the keys without quoting them; returns undefined if they are valid. */
function findWrongKeys(keys: unknown = []): string | undefined {
  if (!Array.isArray(keys)) return 'keys: expected a list of texts';
  const at = keys.findIndex((key: unknown) => typeof key !== 'string' || key.length < LEAST_KEY_CHARS);
  if (at < 0) return undefined;
  return `keys[${String(at)}]: expected a text of at least ${String(LEAST_KEY_CHARS)} characters`;
}

function findUnknownMode(mode: unknown): string | undefined {
  if (mode === undefined || mode === 'off' || mode === 'on' || mode === 'report') return undefined;
  return `repair: expected "off", "on" or "report", got ${describeGiven(mode)}`;
}

function findWrongMask(mask: unknown): string | undefined {
  if (mask === undefined || typeof mask === 'boolean' || typeof mask === 'function') return undefined;
  return `maskErrors: expected true, or a function that returns a text, got ${describeGiven(mask)}`;
}

/**
 * Checks the options of a call.
 *
 * @param place the called method
 * @throws PromptError E413
 */
export function requireCallOptions(place: string, options: CallOptions): void {
  requireValues(place, options, callOptionForms);
}

/**
 * Checks the options of a run.
 *
 * @param place the called method
 * @throws PromptError E413; PromptEvaluationError E709 for a run id that is not a text
 */
export function requireRunOptions(place: string, options: EvaluateOptions): void {
  requireValues(place, options, evaluateOptionForms);
  if (options.runId !== undefined) requireId(place, 'run', options.runId);
  requireValues(`${place}({ history })`, options.history ?? {}, historyOptionForms);
}

/**
 * Checks that an argument is a rendering.
 *
 * @param place the called method
 * @throws PromptError E411
 */
export function requireRendering(place: string, given: unknown): void {
  if (!isRendering(given)) throw createArgumentError(place, 'the result of prompt.render()', given);
}

/**
 * Checks that an argument is a prompt or a rendering.
 *
 * @param place the called method
 * @throws PromptError E411
 */
export function requirePrompt(place: string, given: unknown): void {
  if (!isRendering(given) && !hasMethod<BoundPrompt>(given, 'render'))
    throw createArgumentError(place, 'a prompt of the application or a rendering of it', given);
}

/**
 * Checks that the options have a model adapter.
 *
 * @param place the called method
 * @throws PromptError E411
 */
export function requireAdapter(place: string, options: unknown): void {
  const adapter: unknown = (options as { readonly adapter?: unknown } | null | undefined)?.adapter;
  if (!hasMethod<ModelAdapter>(adapter, 'complete'))
    throw createArgumentError(place, 'a model adapter as options.adapter', adapter);
}

/**
 * Returns the options with a checked copy of the messages.
 *
 * @param place the called method
 * @throws PromptError E412
 */
export function requireMessages<O extends Pick<EvaluateOptions, 'messages'>>(
  place: string,
  options: O,
  { partLimit }: Pick<DispatchServices, 'partLimit'>,
): O {
  if (options.messages === undefined) return options;
  return { ...options, messages: checkMessages(place, options.messages, { partLimit }) };
}

/**
 * Checks that an option is a conversation.
 *
 * @param place the called method
 * @throws PromptError E411
 */
export function requireConversation(place: string, given: unknown): void {
  if (!Conversation.is(given)) throw createArgumentError(place, 'a Conversation as options.conversation', given);
}

/**
 * Checks the options of the history.
 *
 * @param place the called method
 * @throws PromptError E411; PromptEvaluationError E736 if long results should be shortened but no tool reads the rest
 */
export function requireHistory(
  place: string,
  { history }: EvaluateOptions,
  { toolsByName, prompt }: RenderedPrompt,
): void {
  if (history === undefined) return;
  const { maxTokens, summarise, spillAbove } = history;
  if (!isAtLeast(maxTokens, 1)) throw createArgumentError(place, 'a positive number as history.maxTokens', maxTokens);
  if (!hasMethod<HistoryOptions>(history, 'summarise'))
    throw createArgumentError(place, 'a function as history.summarise', summarise);
  if (spillAbove === undefined) return;
  if (!isAtLeast(spillAbove, LEAST_SPILLED))
    throw createArgumentError(place, `a number from ${String(LEAST_SPILLED)} as history.spillAbove`, spillAbove);
  if (!toolsByName.has(READ_RESULT)) throw createUnreadableResultError(`${prompt.ns}/${prompt.key}`);
}

/**
 * Checks that an argument is a tool call.
 *
 * @param place the called method
 * @throws PromptError E411
 */
export function requireCall(place: string, given: unknown): void {
  if (typeof given !== 'object' || given === null)
    throw createArgumentError(place, 'a call as { id, name, arguments }', given);
}

/**
 * Checks that an argument is a list of tool calls.
 *
 * @param place the called method
 * @throws PromptError E411
 */
export function requireCalls(place: string, given: unknown): void {
  if (!Array.isArray(given)) throw createArgumentError(place, 'a list of calls', given);
  for (const call of given) requireCall(place, call);
}

function hasMethod<T>(value: unknown, name: keyof T): boolean {
  return typeof (value as T | null | undefined)?.[name] === 'function';
}

/** Returns true for a number of at least `least`; false for NaN as well. */
function isAtLeast(value: unknown, least: number): boolean {
  return typeof value === 'number' && value >= least;
}

function createUnreadableResultError(prompt: string): PromptEvaluationError {
  return new PromptEvaluationError(`history.spillAbove is set, but ${prompt} does not offer the tool ${READ_RESULT}.`, {
    phase: 'request',
    code: 'E736',
  });
}

function createArgumentError(place: string, expected: string, given: unknown): PromptError {
  const details = { code: 'E411', place } as const;
  return new PromptError(formatMessage(`expected ${expected}, got ${describeGiven(given)}`, details), details);
}
