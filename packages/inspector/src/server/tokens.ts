import { approximateTokens, type TokenEstimator } from 'toolwright/adapters';

/** A way to count tokens, and how exact it is. */
export interface TokenCount {
  readonly count: TokenEstimator;
  /** For people: `o200k estimate`. */
  readonly label: string;
}

/** Counts with gpt-tokenizer where it is installed, and estimates by the length otherwise. */
export async function tokenCount(): Promise<TokenCount> {
  try {
    const { gptTokens } = await import('@toolwright/openai/tokens');
    return { count: gptTokens(), label: 'o200k estimate' };
  } catch {
    return { count: approximateTokens, label: 'estimate by length' };
  }
}
