import { LatePackage } from '../../common/LatePackage.js';

/** Returns the stem of an English word in lower case, by Porter's second algorithm. */
type Stem = (word: string) => string;

/** Reduces words to their stems; only prompts with search need it. */
export const stemmer = new LatePackage<Stem>(
  'wink-porter2-stemmer',
  async () => ((await import('wink-porter2-stemmer')) as { readonly default: Stem }).default,
);

/** Function words of English, which say nothing about the subject of a tool or a query. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been being but by can could did do does for from had has have he her hers him his how i if in ' +
    'into is it its me may might must my of on or our ours shall she should so that the their theirs them then there ' +
    'these they this those to us was we were what when where which who whom whose why will with would you your yours ' +
    's t please'
  ).split(' '),
);

/** Splits a text into lower-case words. Identifiers such as `getOrderById`, `get_order` and `sha256` become several. */
export function splitWords(text: string): readonly string[] {
  const spaced = text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2');
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the term that a word is indexed and searched as; null for a word that is not indexed. */
export function toTerm(word: string): string | null {
  if (STOP_WORDS.has(word)) return null;
  // The stemmer knows English letters only, and its time grows with the length of a word.
  return word.length > MAX_STEMMED_CHARS || !/^[a-z]+$/.test(word)
    ? word.slice(0, MAX_TERM_CHARS)
    : stemmer.get()(word);
}

/** A longer word of a description is rarely English: a key, a hash, a word of another language. */
const MAX_STEMMED_CHARS = 32;
const MAX_TERM_CHARS = 64;
