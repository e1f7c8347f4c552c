import { aCount, anObject, atLeast, listOf, oneOf } from '../../common/dataForm.js';
import { isArray, isRecord } from '../../common/guards.js';
import { describeValue, quote } from '../../common/text.js';
import { requireOptions, type OptionForms } from '../../error/optionNames.js';
import { createPromptError, type PromptError } from '../../error/PromptError.js';
import type { ProviderFailure } from '../../error/ProviderFailure.js';
import type { ModelAdapter } from '../../interface/ModelAdapter.js';
import type { CircuitOptions } from './Circuit.js';
import { FallbackAdapter, type FallbackOptions } from './FallbackAdapter.js';

const PLACE = 'fallback';

/** A record, so that the compiler asks for every failure. */
const isFailure: Readonly<Record<ProviderFailure, 1>> = {
  throttled: 1,
  quota: 1,
  auth: 1,
  content_policy: 1,
  cut_off: 1,
  down: 1,
  too_long: 1,
};
const optionForms: OptionForms<FallbackOptions> = {
  on: listOf(oneOf(...Object.keys(isFailure))),
  retries: aCount,
  circuit: anObject,
};
const circuitForms: OptionForms<CircuitOptions> = { failures: atLeast(1), openMs: atLeast(1) };

/**
 * Makes one adapter of several. If one of them does not answer a request, the next one gets it, and the run goes on with that one,
 * as do later runs of the conversation. An adapter that fails several times in a row gets no requests for a while.
 *
 * @param adapters the preferred one first; each has its own name
 * @throws PromptError E416 unless `adapters` is a list of model adapters, E417 if two have one name, E413 for options
 *
 * @example
 * const adapter = fallback([new AnthropicAdapter({ client, model }), new OpenAIResponsesAdapter({ client: other, model: second })]);
 * const response = await app.evaluate(prompt, { adapter, conversation, messages });
 */
export function fallback(adapters: readonly ModelAdapter[], options: FallbackOptions = {}): ModelAdapter {
  requireAdapters(adapters);
  requireOptions(PLACE, options, optionForms);
  requireOptions(`${PLACE}({ circuit })`, options.circuit ?? {}, circuitForms);
  return new FallbackAdapter(adapters, options);
}

function requireAdapters(adapters: unknown): void {
  if (!isArray(adapters))
    throw createError('E416', `expected a list of model adapters, got ${describeValue(adapters)}`);
  if (adapters.length === 0) throw createError('E416', 'expected at least one model adapter, got an empty list');
  const names = new Set<string>();
  adapters.forEach((adapter, index) => {
    const place = `adapters[${String(index)}]`;
    const { name, complete, route } = (adapter ?? {}) as { readonly [K in keyof ModelAdapter]?: unknown };
    if (!isRecord(adapter) || typeof name !== 'string' || typeof complete !== 'function')
      throw createError('E416', `${place}: expected a model adapter, got ${describeValue(adapter)}`);
    if (route !== undefined)
      throw createError('E416', `${place}: expected one adapter, got ${name}; list its adapters`);
    if (names.has(name)) throw createError('E417', `${place}: another adapter of the list has the name ${quote(name)}`);
    names.add(name);
  });
}

function createError(code: 'E416' | 'E417', problem: string): PromptError {
  return createPromptError(problem, { code, place: PLACE });
}
