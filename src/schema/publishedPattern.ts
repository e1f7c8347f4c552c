/** Characters that mean something in a regular expression; all others may stand without a backslash. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;

/**
 * The pattern as JSON Schema knows it: without flags, and read by code points. Undefined when it means something else then.
 */
export function publishedPattern({ source, flags }: RegExp): string | undefined {
  if (/[imsv]/.test(flags)) return undefined;
  if (isReadable(source)) return source;
  const plain = withoutNeedlessEscapes(source);
  return isReadable(plain) ? plain : undefined;
}

/** A text as a pattern that finds it. */
export function literalPattern(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|]/g, '\\$&');
}

function isReadable(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Takes the backslash from what needs none, such as `\#` or `\-` outside of a class: with the flag u, it is an error. */
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
