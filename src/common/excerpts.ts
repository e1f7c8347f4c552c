import { quote } from './text.js';

/** Characters that an excerpt shows before the difference. */
const BEFORE_CHARS = 30;
const EXCERPT_CHARS = 100;

/** Returns the offset of the first character in which two texts differ. */
export function findDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** Cuts out the part of a text around an offset. */
export function cutAround(text: string, at: number): string {
  const from = Math.max(0, at - BEFORE_CHARS);
  const to = from + EXCERPT_CHARS;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

/** Quotes the part of a text around an offset. */
export function cutExcerpt(text: string, at: number): string {
  return quote(cutAround(text, at), EXCERPT_CHARS + 2);
}
