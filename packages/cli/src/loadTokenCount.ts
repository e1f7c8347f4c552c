import type * as tokens from '@toolwright/openai/tokens';
import type { TokenEstimator } from 'toolwright/adapters';
import { loadPackage } from './load/loadPackage.js';

/** A token counter and a label that says how exact it is. */
export interface TokenCount {
  readonly count: TokenEstimator;
  /** The text that people read, such as `o200k estimate`. */
  readonly label: string;
}

/** Loads gpt-tokenizer if the project has it; otherwise tokens are estimated by the length of a text. */
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
