import type { Usage } from '../value/Usage.js';

/** Prices of a model for a million tokens, in any single currency. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Price of tokens that are read from the provider's cache; `input` when left out. */
  readonly cachedInput?: number | undefined;
  /** Price of tokens that are written to the provider's cache; `input` when left out. */
  readonly cacheWrite?: number | undefined;
}

/** An answered request. */
export interface CountedRequest {
  /** The name of the adapter. */
  readonly adapter: string;
  /** Undefined if the provider did not report it. */
  readonly usage: Usage | undefined;
}

const MILLION = 1_000_000;

/**
 * Computes the cost of requests, in the currency of the prices; returns undefined if a model has no price, or if a request did not
 * report its tokens.
 *
 * @param prices by the names of adapters
 */
export function computeCost(
  requests: readonly CountedRequest[],
  prices: Readonly<Record<string, ModelPrice>>,
): number | undefined {
  let cost = 0;
  for (const { adapter, usage } of requests) {
    const price = prices[adapter];
    if (price === undefined) return undefined;
    const { inputTokens, outputTokens, totalTokens = 0 } = usage ?? {};
    if (inputTokens === undefined || outputTokens === undefined) return undefined;
    const { input, output, cachedInput = input, cacheWrite = input } = price;
    const { cachedInputTokens: cached = 0, cacheWriteTokens: written = 0 } = usage ?? {};
    const plain = Math.max(0, inputTokens - cached - written);
    // Some providers count thinking only in the total, and charge it as output.
    const produced = Math.max(outputTokens, totalTokens - inputTokens);
    cost += plain * input + cached * cachedInput + written * cacheWrite + produced * output;
  }
  return cost / MILLION;
}
