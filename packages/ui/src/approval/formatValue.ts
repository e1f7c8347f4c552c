/** Characters of one value that are shown: a megabyte in a table cell would freeze the page. */
const MAX_VALUE_CHARS = 20_000;

/**
 * Characters that are invisible, or that change the order in which a text is read. A person must see the arguments that they approve, so
 * these are shown as escapes.
 */
const HIDDEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Writes a JSON value as a text for a person. */
export function formatValue(value: unknown, indent?: number): string {
  const text = (JSON.stringify(value, null, indent) as string | undefined) ?? 'undefined';
  const shown = text.slice(0, MAX_VALUE_CHARS).replace(HIDDEN, escapeCharacter);
  const left = text.length - MAX_VALUE_CHARS;
  return left > 0 ? `${shown}… (${String(left)} more characters)` : shown;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
