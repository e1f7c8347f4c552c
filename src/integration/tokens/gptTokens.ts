import * as o200kBase from 'gpt-tokenizer/encoding/o200k_base';
import type { TokenEstimator } from '../../interface/TokenEstimator.js';

/** What is used of an encoding of gpt-tokenizer. Said by its shape, so that any module of that package fits. */
export interface GptEncoding {
  countTokens(text: string, options: { readonly disallowedSpecial: Set<string> }): number;
}

/**
 * Up to 500 characters that end before a word, where no encoding has a token across. An encoder needs time by the square of
 * the length of a run of letters: without spaces to cut at, they are cut all the same, and the count may be off by one there.
 */
const PIECES = /[^]{1,500}(?<=[\p{L}\p{N}])(?=[^\r\n\p{L}\p{M}\p{N}'’]\p{L})|[^]{1,500}/gu;

/** The names of special tokens are counted as the text that they are. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * Counts tokens exactly, by the package gpt-tokenizer: with the encoding of GPT-4o and later models, `o200k_base`, or with
 * another of its encodings.
 *
 * @example
 * import * as cl100kBase from 'gpt-tokenizer/encoding/cl100k_base';
 *
 * const app = await createApplication({ prompts: [SupportDesk], tokenEstimator: gptTokens() });
 * const older = await createApplication({ prompts: [SupportDesk], tokenEstimator: gptTokens(cl100kBase) });
 */
export function gptTokens(encoding: GptEncoding = o200kBase): TokenEstimator {
  return (text) => (text.match(PIECES) ?? []).reduce((sum, piece) => sum + encoding.countTokens(piece, AS_TEXT), 0);
}
