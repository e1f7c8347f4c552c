import type * as tokens from '@toolwright/openai/tokens';
import type { TokenEstimator } from 'toolwright/adapters';
import { loadPackage } from './load/loadPackage.js';

/** A way to count tokens, and how exact it is. */
export interface TokenCount {
  readonly count: TokenEstimator;
  /** For people: `o200k estimate`. */
  readonly label: string;
}

/** Counts with gpt-tokenizer where the project has it, and estimates by the length otherwise. */
export async function loadTokenCount(folder: string): Promise<TokenCount> {
  try {
    const needed = { name: '@toolwright/openai/tokens', place: 'tokens' };
    const { gptTokens } = await loadPackage<typeof tokens>(folder, needed);
    return { count: gptTokens(), label: 'o200k estimate' };
  } catch {
    const { approximateTokens } = await import('toolwright/adapters');
    return {
      count: approximateTokens,
      label: 'estimate by length; npm install @toolwright/openai gpt-tokenizer counts',
    };
  }
}
