/** Tokens that a response cost; a figure that the provider did not report is undefined, never 0. */
export interface Usage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
  /** Of `inputTokens`, those that were read from the provider's cache. */
  readonly cachedInputTokens?: number | undefined;
  /** Of `inputTokens`, those that were written to the provider's cache. */
  readonly cacheWriteTokens?: number | undefined;
  /** Those of thinking that the answer does not show; most providers count them in `outputTokens` as well, some only in the total. */
  readonly reasoningTokens?: number | undefined;
}

const WHOLES = ['inputTokens', 'outputTokens', 'totalTokens'] as const;
/** Figures that are part of another one: where a request does not report them, it has none. */
const PARTS = ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/**
 * Adds up the usage of several requests. What one of them did not report is undefined, since the sum would be too low; all of it is
 * if one reported nothing.
 */
export function sumUsage(requests: readonly (Usage | undefined)[]): Usage | undefined {
  const reported = requests.filter((usage) => usage !== undefined);
  if (reported.length === 0 || reported.length < requests.length) return undefined;
  const counts = (key: keyof Usage): readonly number[] =>
    reported.map((usage) => usage[key]).filter((count) => count !== undefined);
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const key of WHOLES) if (counts(key).length === reported.length) sum[key] = sumField(counts(key));
  for (const key of PARTS) if (counts(key).length > 0) sum[key] = sumField(counts(key));
  return sum;
}

function sumField(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
