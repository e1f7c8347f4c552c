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
  if (requests.length === 0 || requests.includes(undefined)) return undefined;
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const key of WHOLES)
    if (requests.every((usage) => usage?.[key] !== undefined)) sum[key] = sumField(requests, key);
  for (const key of PARTS) if (requests.some((usage) => usage?.[key] !== undefined)) sum[key] = sumField(requests, key);
  return sum;
}

function sumField(requests: readonly (Usage | undefined)[], key: keyof Usage): number {
  return requests.reduce((sum, usage) => sum + (usage?.[key] ?? 0), 0);
}
