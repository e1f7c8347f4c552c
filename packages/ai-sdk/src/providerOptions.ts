import type { AiProviderOptions } from './AiLanguageModel.js';

/** Fields of provider options that mark the end of a prefix for a provider's cache. */
const MARKS: ReadonlySet<string> = new Set(['cacheControl', 'cachePoint', 'cache_control', 'promptCacheBreakpoint']);

/** Merges options, provider by provider; the last value of a field counts. */
export function mergeOptions(...all: readonly (AiProviderOptions | undefined)[]): AiProviderOptions | undefined {
  const given = all.filter((options) => options !== undefined);
  if (given.length <= 1) return given[0];
  const merged: AiProviderOptions = {};
  for (const options of given)
    for (const [provider, fields] of Object.entries(options)) merged[provider] = { ...merged[provider], ...fields };
  return merged;
}

/** Returns the options without marks for a cache; undefined if nothing is left. */
export function removeMarks(options: AiProviderOptions | undefined): AiProviderOptions | undefined {
  if (options === undefined) return undefined;
  const left = Object.entries(options).flatMap(([provider, fields]) => {
    const rest = Object.entries(fields).filter(([field]) => !MARKS.has(field));
    return rest.length === 0 ? [] : [[provider, Object.fromEntries(rest)] as const];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}
