import { isPattern } from '../pattern/isPattern.js';

/** Syntax characters of regular expressions; all others need no backslash. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;

/**
 * The pattern as in JSON Schema: without flags, and read by code points. Undefined if that may change its meaning.
 */
export function publishedPattern({ source, flags }: RegExp): string | undefined {
  if (/[imsv]/.test(flags)) return undefined;
  if (isPattern(source)) return source;
  const plain = withoutNeedlessEscapes(source);
  return isPattern(plain) ? plain : undefined;
}

/** The pattern that matches the text literally. */
export function literalPattern(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|]/g, '\\$&');
}

/** Removes needless backslashes, such as in `\#`, or in `\-` outside of a class: with the flag u, they are errors. */
function withoutNeedlessEscapes(source: string): string {
  let isInClass = false;
  return source.replace(/\\(.)|[[\]]/gs, (token, escaped: string | undefined) => {
    if (escaped === undefined) {
      isInClass = token === '[';
      return token;
    }
    const isNeeded = /[\w\s]/.test(escaped) || SYNTAX.test(escaped) || (isInClass && escaped === '-');
    return isNeeded ? token : escaped;
  });
}
