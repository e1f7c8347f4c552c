import type { JsonExcess } from '../../common/walkValue.js';

/** The most values of JSON, and the most nested levels of lists and objects below the outermost. */
type JsonExtent = Readonly<Record<JsonExcess, number>>;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[` and `{`, and `]` and `}`, differ only in this bit; the constants below are the square ones. */
const CURLY_BIT = 0x20;
const OPENING = 0x5b;
const CLOSING = 0x5d;

/** Returns the limit that a JSON text exceeds; called before the text is parsed. */
export function findTextExcess(text: string, most: JsonExtent): JsonExcess | undefined {
  // Valid JSON has at most two counted characters in three: `[[],[],[]]`. Other texts are refused by the parser.
  const isShort = text.length <= 1.5 * most.values;
  if (hasAtMost(text, '[{', most.depth) && (isShort || hasAtMost(text, ',', most.values - most.depth)))
    return undefined;
  return new JsonCounter(most).add(text).excess;
}

/** Counts the values in a JSON text; returns undefined if it exceeds a limit. */
export function countTextValues(text: string, most: JsonExtent): number | undefined {
  const { excess, values } = new JsonCounter(most).add(text);
  return excess === undefined ? values : undefined;
}

/**
 * Counts the values of a JSON text in one pass while it arrives in parts, by commas and brackets outside of strings. Does not
 * count below the deepest allowed level, since nothing walks that far.
 */
export class JsonCounter {
  readonly #most: JsonExtent;
  /** The state at the end of the last part. */
  #isInString = false;
  #isEscaped = false;
  #depth = 0;
  #values = 1;
  #isTooDeep = false;

  constructor(most: JsonExtent) {
    this.#most = most;
  }

  get values(): number {
    return this.#values;
  }

  /** The limit exceeded so far; once it is `values`, further parts are not read. */
  get excess(): JsonExcess | undefined {
    if (this.values > this.#most.values + 1) return 'values';
    return this.#isTooDeep ? 'depth' : undefined;
  }

  /** Counts the next part of the text. Every long text is read here, so the loop does little for each character. */
  add(part: string): this {
    const mostValues = this.#most.values + 1;
    if (part === '' || this.#values > mostValues) return this;
    const mostDepth = this.#most.depth + 1;
    let depth = this.#depth;
    let values = this.#values;
    let index = this.#isInString ? this.#skipString(part, this.#isEscaped ? 1 : 0) + 1 : 0;
    for (; index < part.length; index++) {
      const sign = part.charCodeAt(index);
      // Digits, colons and others.
      if (sign > COMMA && sign < OPENING) continue;
      if (sign === QUOTE) {
        index = this.#skipString(part, index + 1);
        continue;
      }
      if (sign !== COMMA) {
        const square = sign & ~CURLY_BIT;
        if (square === CLOSING) depth--;
        if (square !== OPENING) continue;
        depth++;
      }
      if (depth > mostDepth) this.#isTooDeep = true;
      else if (++values > mostValues) break;
    }
    this.#depth = depth;
    this.#values = values;
    return this;
  }

  /** Returns the index of the quote that ends a string, or the end of the part. */
  #skipString(part: string, start: number): number {
    const quote = findStringEnd(part, start);
    this.#isInString = quote < 0;
    if (quote >= 0) return quote;
    this.#isEscaped = isEscapedAt(part, part.length, start);
    return part.length;
  }
}

/**
 * Checks whether some signs occur at most `count` times in a text, in strings or outside. Much faster than counting values in small
 * arguments, and in a long text with quotes.
 */
function hasAtMost(text: string, signs: string, count: number): boolean {
  let left = count;
  for (const sign of signs)
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) if (--left < 0) return false;
  return left >= 0;
}

/** Finds the end of the list or object that opens at a position; returns undefined if it is never closed. */
export function findValueEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const sign = text.charCodeAt(index);
    const square = sign & ~CURLY_BIT;
    if (sign === QUOTE) {
      index = findStringEnd(text, index + 1);
      if (index < 0) return undefined;
    } else if (square === OPENING) depth++;
    else if (square === CLOSING && --depth === 0) return index + 1;
  }
  return undefined;
}

/** Returns the index of the quote that ends a string, or -1. Looking for quotes is much faster than looking at each character. */
export function findStringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start);
  while (quote > start && text.charCodeAt(quote - 1) === BACKSLASH && isEscapedAt(text, quote, start))
    quote = text.indexOf('"', quote + 1);
  return quote;
}

/** Checks whether an odd number of backslashes is before a position; those before `start` do not count. */
function isEscapedAt(text: string, position: number, start: number): boolean {
  let first = position;
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (position - first) % 2 === 1;
}
