import type { Usage } from './Usage.js';

const WHOLES = ['inputTokens', 'outputTokens', 'totalTokens'] as const;
/** Figures that are part of another one: where a request does not report them, it has none. */
const PARTS = ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/**
 * Adds up the usage of several requests. What one of them did not report is undefined, since the sum would be too low; all of it is
 * if one reported nothing.
 */
export function sumOfUsage(requests: readonly (Usage | undefined)[]): Usage | undefined {
  const reported = requests.filter((usage) => usage !== undefined);
  if (reported.length === 0 || reported.length < requests.length) return undefined;
  const counts = (key: keyof Usage): readonly number[] =>
    reported.map((usage) => usage[key]).filter((count) => count !== undefined);
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const key of WHOLES) if (counts(key).length === reported.length) sum[key] = total(counts(key));
  for (const key of PARTS) if (counts(key).length > 0) sum[key] = total(counts(key));
  return sum;
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
