import { cut } from '../common/text.js';
import type { JsonValue } from '../common/types.js';
import { excessOfText } from '../schema/parse/jsonExtent.js';
import { MOST_LINE } from './lineLimits.js';

type Fields = Readonly<Record<string, JsonValue>>;

/** Characters that stay of a text that is too long. */
const BEGINNING = 1_000;

/** Writes an entry as a line that `readBundle` reads: fields that are too large for it are emptied, and named in `leftOut`. */
export function lineOf(entry: Fields): string {
  let [line, fields] = [JSON.stringify(entry), entry];
  for (const name of isReadable(line) ? [] : largestFirst(entry)) {
    const leftOut = [...((fields['leftOut'] ?? []) as readonly JsonValue[]), name];
    fields = { ...fields, [name]: emptyField(fields[name] ?? null), leftOut };
    line = JSON.stringify(fields);
    if (isReadable(line)) break;
  }
  return line;
}

function isReadable(line: string): boolean {
  return line.length <= MOST_LINE.chars && excessOfText(line, MOST_LINE) === undefined;
}

function largestFirst(entry: Fields): readonly string[] {
  const sizes = Object.entries(entry).map(([name, value]) => [name, JSON.stringify(value).length] as const);
  return sizes.sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** A value of the same type that holds nothing, or little. */
function emptyField(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cut(value, BEGINNING);
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : value;
}
