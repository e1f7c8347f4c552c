const REPLACEMENT = '\ufffd';

/** The text with every half of a surrogate pair that stands alone replaced: UTF-8 has no form for it. */
export function wellFormed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}

// An escaped backslash, or any other escape, is taken as a whole, so that `\\ud800` stays the text that it is.
const ESCAPES = /\\(?:u[dD][89abAB][\da-fA-F]{2}(\\u[dD][c-fC-F][\da-fA-F]{2})?|u[dD][c-fC-F][\da-fA-F]{2}|[^])/g;
const SURROGATE = /^\\u[dD][89a-fA-F]/;

/** JSON text without lone surrogates, escaped ones included. */
export function wellFormedJson(json: string): string {
  const text = wellFormed(json);
  if (!text.includes('\\u')) return text;
  return text.replace(ESCAPES, (escape, second?: string) =>
    SURROGATE.test(escape) && second === undefined ? REPLACEMENT : escape,
  );
}
