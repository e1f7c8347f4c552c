const REPLACEMENT = '\ufffd';

/** Replaces every lone surrogate of the text, which UTF-8 cannot encode. */
export function wellFormed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}

// Matches an escaped backslash, like any other escape, as a whole, so that `\\ud800` is left unchanged.
const ESCAPES = /\\(?:u[dD][89abAB][\da-fA-F]{2}(\\u[dD][c-fC-F][\da-fA-F]{2})?|u[dD][c-fC-F][\da-fA-F]{2}|[^])/g;
const SURROGATE = /^\\u[dD][89a-fA-F]/;

/** Replaces every lone surrogate of JSON text, escaped ones included. */
export function wellFormedJson(json: string): string {
  const text = wellFormed(json);
  if (!text.includes('\\u')) return text;
  return text.replace(ESCAPES, (escape, second?: string) =>
    SURROGATE.test(escape) && second === undefined ? REPLACEMENT : escape,
  );
}
