/** The tokens of a response. A figure that the provider did not report is undefined, never 0. */
export interface Usage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
  /** The part of `inputTokens` that was read from the provider's cache. */
  readonly cachedInputTokens?: number | undefined;
  /** The part of `inputTokens` that was written to the provider's cache. */
  readonly cacheWriteTokens?: number | undefined;
  /**
   * Tokens of thinking that the answer does not show. Most providers count them in `outputTokens` as well, some only in
   * the total.
   */
  readonly reasoningTokens?: number | undefined;
}

const WHOLES = ['inputTokens', 'outputTokens', 'totalTokens'] as const;
/** Figures that are part of another one. A request that does not report them has none. */
const PARTS = ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/**
 * Adds up the usage of several requests. A figure that one of them did not report is undefined, because the sum would
 * be too low. If one request reported nothing, the result is undefined.
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
