const REPLACEMENT = '\ufffd';

/** Replaces every lone surrogate of the text, which UTF-8 cannot encode. */
export function wellFormed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}

// A backslash that begins an escape follows an even number of others. Pairs are passed over, and lone ones replaced without a call
// for each, which would take longer than parsing the text.
const LONE =
  /(?<!\\)(?<before>(?:\\\\)*)\\u[dD](?:[89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F][\da-fA-F]{2})|(?<!(?<!\\)(?:\\\\)*\\u[dD][89abAB][\da-fA-F]{2}\\u[dD])[c-fC-F][\da-fA-F]{2})/g;

/** Replaces every lone surrogate of JSON text, escaped ones included. */
export function wellFormedJson(json: string): string {
  const text = wellFormed(json);
  if (!text.includes('\\u')) return text;
  return text.replace(LONE, `$<before>${REPLACEMENT}`);
}
