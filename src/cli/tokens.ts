import type { TokenEstimator } from '../interface/TokenEstimator.js';

/** A way to count tokens, and how exact it is. */
export interface TokenCount {
  readonly count: TokenEstimator;
  /** For people: `o200k estimate`. */
  readonly label: string;
}

/** Counts with gpt-tokenizer where it is installed, and estimates by the length otherwise. */
export async function tokenCount(): Promise<TokenCount> {
  try {
    const { gptTokens } = await import('../integration/tokens/index.js');
    return { count: gptTokens(), label: 'o200k estimate' };
  } catch {
    const { approximateTokens } = await import('../exports/models.js');
    return { count: approximateTokens, label: 'estimate by length; npm install gpt-tokenizer counts' };
  }
}
