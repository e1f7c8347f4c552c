/** Characters of one value that are shown: a megabyte in a table cell would freeze the page. */
const MAX_VALUE_CHARS = 20_000;

/**
 * Characters that are invisible, or that change the order in which a text is read. A person must see the arguments that they approve, so
 * these are shown as escapes.
 */
const HIDDEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Writes a JSON value as a text for a person. @param indent spaces for each level; on one line when left out */
export function formatValue(value: unknown, indent?: number): string {
  const written = (JSON.stringify(value, null, indent ?? 1) as string | undefined) ?? 'undefined';
  // On one line, with spaces at which it can be broken. Line breaks within strings are escaped.
  const text = indent === undefined ? written.replace(/\n\s*/g, ' ') : written;
  const shown = text.slice(0, MAX_VALUE_CHARS).replace(HIDDEN, escapeCharacter);
  const left = text.length - MAX_VALUE_CHARS;
  return left > 0 ? `${shown}… (${String(left)} more characters)` : shown;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
