/** Syntax characters of regular expressions; all others need no backslash. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;

/**
 * Returns the source of a pattern for JSON Schema, which reads it by code points and without flags; undefined if that may change
 * its meaning.
 */
export function writePublishedPattern({ source, flags }: RegExp): string | undefined {
  if (/[imsv]/.test(flags)) return undefined;
  if (isPattern(source)) return source;
  const plain = removeNeedlessEscapes(source);
  return isPattern(plain) ? plain : undefined;
}

/** Writes a pattern that matches the text literally. */
export function writeLiteralPattern(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|]/g, '\\$&');
}

/** Removes needless backslashes, such as in `\#`, or in `\-` outside of a class: with the flag u, they are errors. */
function removeNeedlessEscapes(source: string): string {
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

/** Checks for a valid regular expression of JSON Schema, which V8 reads with the flag u. */
export function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    return false;
  }
}
