import { cut } from '../common/text.js';
import type { JsonValue } from '../common/types.js';
import { findTextExcess } from '../schema/parse/jsonExtent.js';

type Fields = Readonly<Record<string, JsonValue>>;

/** Characters that stay of a text that is too long. */
const BEGINNING = 1_000;

/** Writes an entry as a line that `readBundle` reads: fields that are too large for it are emptied, and named in `leftOut`. */
export function writeLine(entry: Fields): string {
  let [line, fields] = [JSON.stringify(entry), entry];
  for (const name of isReadable(line) ? [] : sortBySize(entry)) {
    const leftOut = [...((fields['leftOut'] ?? []) as readonly JsonValue[]), name];
    fields = { ...fields, [name]: emptyLargestField(fields[name] ?? null), leftOut };
    line = JSON.stringify(fields);
    if (isReadable(line)) break;
  }
  return line;
}

function isReadable(line: string): boolean {
  return line.length <= MOST_LINE.chars && findTextExcess(line, MOST_LINE) === undefined;
}

function sortBySize(entry: Fields): readonly string[] {
  const sizes = Object.entries(entry).map(([name, value]) => [name, JSON.stringify(value).length] as const);
  return sizes.sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** A value of the same type that holds nothing, or little. */
function emptyLargestField(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cut(value, BEGINNING);
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : value;
}

/**
 * The limits of one line of a bundle. The recorder writes no larger ones, and the reader refuses them before they are whole: a
 * line is parsed in one piece, and the values of JSON take many times the memory of their text.
 */
export const MOST_LINE = { chars: 4_000_000, values: 100_000, depth: 100 };
