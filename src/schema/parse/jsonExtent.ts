import type { JsonExcess } from '../../common/walkValue.js';

/** How much JSON may hold before it is parsed or walked. */
export interface JsonExtent {
  /** The most values: scalars, lists and objects. */
  readonly values: number;
  /** The most levels of lists and objects within each other, beyond the outermost. */
  readonly depth: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[` and `{`, `]` and `}` differ in this bit alone; these are the square ones. */
const CURLY_BIT = 0x20;
const OPENING = 0x5b;
const CLOSING = 0x5d;

/**
 * Returns what a text of JSON has too much of. It is asked before the text is parsed.
 */
export function findTextExcess(text: string, most: JsonExtent): JsonExcess | undefined {
  if (text.length <= most.values && opensAtMost(text, most.depth)) return undefined;
  return new JsonCounter(most).add(text).excess;
}

/** Returns how many values a text of JSON holds; undefined for one that has too much of something. */
export function countTextValues(text: string, most: JsonExtent): number | undefined {
  const { excess, values } = new JsonCounter(most).add(text);
  return excess === undefined ? values : undefined;
}

/**
 * Counts what a text of JSON holds, in one pass, while it arrives part by part: commas and brackets outside of strings. What is
 * deeper than the most levels is not counted, since nothing walks that far.
 */
export class JsonCounter {
  readonly #most: JsonExtent;
  /** Where the last part ended. */
  #at = { isInString: false, isEscaped: false, depth: 0, values: 1 };
  #isTooDeep = false;

  constructor(most: JsonExtent) {
    this.#most = most;
  }

  get values(): number {
    return this.#at.values;
  }

  /** What there is too much of so far; once it is `values`, further parts are not read. */
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
        // Most of a long text is strings, whose ends are found much faster than their characters are looked at.
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

/** True if the backslashes before a position escape what stands there; those before `start` are given by whether they escape that. */
function isEscapedAt(text: string, position: number, start: number, isStartEscaped: boolean): boolean {
  let first = position;
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first--;
  return ((position - first) % 2 === 1) !== (first === start && isStartEscaped);
}

/** True if a text has at most so many brackets, which is seen much faster than what they hold: most arguments are small. */
function opensAtMost(text: string, count: number): boolean {
  let left = count;
  for (const bracket of '[{')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (--left < 0) return false;
  return true;
}

/** Returns the end of the list or object whose bracket opens at a position; undefined if it is never closed. */
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
function findStringEnd(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const sign = text.charCodeAt(index);
    if (sign === QUOTE) return index;
    if (sign === BACKSLASH) index++;
  }
  return text.length;
}
