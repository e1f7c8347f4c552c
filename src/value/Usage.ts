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
