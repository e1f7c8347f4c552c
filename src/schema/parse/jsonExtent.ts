import type { JsonExcess } from '../../common/walkValue.js';

/** Limits on JSON, checked before it is parsed or walked. */
export interface JsonExtent {
  /** The most values: scalars, lists and objects. */
  readonly values: number;
  /** The most nested levels of lists and objects, not counting the outermost. */
  readonly depth: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[` and `{`, and `]` and `}`, differ only in this bit; the constants below are the square ones. */
const CURLY_BIT = 0x20;
const OPENING = 0x5b;
const CLOSING = 0x5d;

/** Returns the limit that a JSON text exceeds; called before the text is parsed. */
export function findTextExcess(text: string, most: JsonExtent): JsonExcess | undefined {
  if (text.length <= most.values && opensAtMost(text, most.depth)) return undefined;
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
  #at = { isInString: false, isEscaped: false, depth: 0, values: 1 };
  #isTooDeep = false;

  constructor(most: JsonExtent) {
    this.#most = most;
  }

  get values(): number {
    return this.#at.values;
  }

  /** The limit exceeded so far; once it is `values`, further parts are not read. */
  get excess(): JsonExcess | undefined {
    if (this.values > this.#most.values + 1) return 'values';
    return this.#isTooDeep ? 'depth' : undefined;
  }

  /** Counts the next part of the text. */
  add(part: string): this {
    const { values: mostValues, depth: mostDepth } = this.#most;
    let { isInString, isEscaped, depth, values } = this.#at;
    for (let index = 0; index < part.length && values <= mostValues + 1; index++) {
      const sign = part.charCodeAt(index);
      if (isInString) {
        // Most of a long text is strings, and finding their ends is much faster than looking at each character.
        const quote = part.indexOf('"', index);
        const end = quote < 0 ? part.length : quote;
        isEscaped = isEscapedAt(part, end, index, isEscaped);
        index = end;
        if (quote < 0) break;
        isInString = isEscaped;
        isEscaped = false;
        continue;
      }
      isInString = sign === QUOTE;
      const square = sign & ~CURLY_BIT;
      if (square === OPENING) {
        if (++depth > mostDepth + 1) this.#isTooDeep = true;
      } else if (square === CLOSING) depth--;
      if ((square === OPENING || sign === COMMA) && depth <= mostDepth + 1) values++;
    }
    this.#at = { isInString, isEscaped, depth, values };
    return this;
  }
}

/** Checks whether backslashes escape the character at a position; `isStartEscaped` says so for the character at `start`. */
function isEscapedAt(text: string, position: number, start: number, isStartEscaped: boolean): boolean {
  let first = position;
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first--;
  return ((position - first) % 2 === 1) !== (first === start && isStartEscaped);
}

/** Checks whether a text has at most `count` brackets, which is much faster than counting values: most arguments are small. */
function opensAtMost(text: string, count: number): boolean {
  let left = count;
  for (const bracket of '[{')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (--left < 0) return false;
  return true;
}

/** Finds the end of the list or object that opens at a position; returns undefined if it is never closed. */
export function findValueEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const sign = text.charCodeAt(index);
    const square = sign & ~CURLY_BIT;
    if (sign === QUOTE) index = findStringEnd(text, index);
    else if (square === OPENING) depth++;
    else if (square === CLOSING && --depth === 0) return index + 1;
  }
  return undefined;
}

/** Returns the index of the quote that ends a string, or the end of the text. */
export function findStringEnd(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const sign = text.charCodeAt(index);
    if (sign === QUOTE) return index;
    if (sign === BACKSLASH) index++;
  }
  return text.length;
}
