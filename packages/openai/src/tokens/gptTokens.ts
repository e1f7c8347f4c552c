// Imported at once, so that a missing gpt-tokenizer ends in Node's own error, which names it, instead of E415. `gptTokens` is synchronous,
// and could load it later only with `require`, which bundlers do not follow: a bundle would then run only beside an installed copy.
// A named import: for a namespace, the CommonJS build would share a helper with the root entry, which has to load without gpt-tokenizer.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { TokenEstimator } from 'toolwright/adapters';

/** The parts of an encoding of gpt-tokenizer that are used. Structural, so that any module of that package fits. */
export interface GptEncoding {
  countTokens(text: string, options: { readonly disallowedSpecial: Set<string> }): number;
}

/**
 * Matches up to 500 characters that end before a word, where no token of any encoding crosses. An encoder needs time quadratic in
 * the length of a run of letters: a run without spaces is cut all the same, and the count may be off by one at the cut.
 */
const PIECES = /[^]{1,500}(?<=[\p{L}\p{N}])(?=[^\r\n\p{L}\p{M}\p{N}'’]\p{L})|[^]{1,500}/gu;

/** Counts the names of special tokens as plain text. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * Counts tokens exactly with the package gpt-tokenizer: in `o200k_base`, the encoding of GPT-4o and later models, or in another of
 * its encodings.
 *
 * @example
 * import * as cl100kBase from 'gpt-tokenizer/encoding/cl100k_base';
 *
 * const app = await createApplication({ prompts: [SupportDesk], tokenEstimator: gptTokens() });
 * const older = await createApplication({ prompts: [SupportDesk], tokenEstimator: gptTokens(cl100kBase) });
 */
export function gptTokens(encoding: GptEncoding = { countTokens }): TokenEstimator {
  return (text) => (text.match(PIECES) ?? []).reduce((sum, piece) => sum + encoding.countTokens(piece, AS_TEXT), 0);
}
