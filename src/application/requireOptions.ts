import {
  aBoolean,
  aFunction,
  anObject,
  anything,
  describeMisfit,
  formOf,
  listOf,
  oneOf,
  prefixPath,
  withMethods,
} from '../common/dataForm.js';
import { isObject } from '../common/guards.js';
import { MIN_KEY_CHARS } from '../common/limits.js';
import { copyOwnOptions } from '../common/objects.js';
import { createFinding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import { findUnknownOption, type OptionForms, type OptionNames } from '../error/optionNames.js';
import { isAtLeast, nameOf } from '../evaluate/check/requireArguments.js';
import type { ModelPrice } from '../limit/computeCost.js';
import type { ApplicationOptions, Limits } from './ApplicationOptions.js';

/** The options of `createApplication`. Options of any type are checked separately. */
export const applicationOptionForms: OptionForms<ApplicationOptions> = {
  prompts: anything,
  container: withMethods('get'),
  resources: anything,
  fieldNames: oneOf('as-is', 'snake_case'),
  coerce: aBoolean,
  repair: formOf('"off", "on" or "report"', (mode) => mode === 'off' || mode === 'on' || mode === 'report'),
  limits: anObject,
  maskErrors: formOf(
    'true, or a function that returns a text',
    (mask) => typeof mask === 'boolean' || typeof mask === 'function',
  ),
  toolTexts: oneOf('portable', 'wide'),
  overrides: withMethods('read'),
  tokenEstimator: aFunction,
  approver: withMethods('approve'),
  interceptors: listOf(anObject),
  random: aFunction,
  clock: withMethods('now', 'monotonic'),
  ids: aFunction,
  logger: withMethods('debug', 'info', 'warn', 'error'),
  prices: anything,
  eventBus: withMethods('subscribe', 'reaches', 'publish', 'flush'),
  redact: aFunction,
  keys: anything,
};
const limitNames: OptionNames<Limits> = { turnMs: 1, resultChars: 1, partBytes: 1, policyMs: 1, callMs: 1 };
const priceNames: OptionNames<ModelPrice> = { input: 1, output: 1, cachedInput: 1, cacheWrite: 1 };

/** @throws PromptValidationError E312 without options, or for one that is not known or not of its kind */
export function requireOptions(given: unknown): ApplicationOptions {
  if (!isObject(given)) throw wrongOptions(`expected { prompts: [...] }, got ${nameOf(given)}`);
  const options = copyOwnOptions(given as ApplicationOptions);
  const problem =
    findUnknownOption(options, applicationOptionForms) ??
    wrongValue(options) ??
    findUnknownOption(options.limits ?? {}, limitNames) ??
    wrongPrice(options.prices) ??
    wrongKeys(options.keys);
  if (problem !== undefined) throw wrongOptions(problem);
  return options;
}

function wrongOptions(problem: string): PromptValidationError {
  return new PromptValidationError([createFinding('E312', problem, { place: 'createApplication' })]);
}

function wrongValue(options: ApplicationOptions): string | undefined {
  for (const [name, form] of Object.entries(applicationOptionForms)) {
    const value = options[name as keyof ApplicationOptions];
    const misfit = value === undefined ? undefined : form(value);
    if (misfit === undefined) continue;
    return `${prefixPath(name, misfit).path}: ${describeMisfit(misfit)}`;
  }
  return undefined;
}

function wrongPrice(prices: unknown = {}): string | undefined {
  if (!isObject(prices)) return `prices is ${nameOf(prices)}; a table is expected`;
  for (const [model, price] of Object.entries(prices as Readonly<Record<string, unknown>>)) {
    const place = `prices[${JSON.stringify(model)}]`;
    if (typeof price !== 'object' || price === null)
      return `${place} is ${nameOf(price)}; { input, output } is expected`;
    const unknown = findUnknownOption(price, priceNames);
    if (unknown !== undefined) return `${place}: ${unknown}`;
    const { input, output, cachedInput = 0, cacheWrite = 0 } = price as ModelPrice;
    for (const [name, amount] of Object.entries({ input, output, cachedInput, cacheWrite }))
      if (!isAtLeast(amount, 0) || !Number.isFinite(amount))
        return `${place}.${name} is ${nameOf(amount)}; an amount for a million tokens is expected`;
  }
  return undefined;
}

/** Describes the fault of the keys without quoting them; undefined if they are valid. */
function wrongKeys(keys: unknown = []): string | undefined {
  if (!Array.isArray(keys)) return 'keys: expected a list of texts';
  const at = keys.findIndex((key: unknown) => typeof key !== 'string' || key.length < MIN_KEY_CHARS);
  if (at < 0) return undefined;
  return `keys[${String(at)}]: expected a text of at least ${String(MIN_KEY_CHARS)} characters`;
}
