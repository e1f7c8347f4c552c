import { isObject } from '../common/guards.js';
import { cut } from '../common/text.js';
import type { JsonValue } from '../common/types.js';
import { findTextExcess } from '../schema/parse/jsonExtent.js';
import { CUT_TEXT_CHARS, LINE_EXTENT } from './limits.js';

type Fields = Readonly<Record<string, JsonValue>>;

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
  return line.length <= LINE_EXTENT.chars && findTextExcess(line, LINE_EXTENT) === undefined;
}

function sortBySize(entry: Fields): readonly string[] {
  const sizes = Object.entries(entry).map(([name, value]) => [name, JSON.stringify(value).length] as const);
  return sizes.sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** A value of the same type that holds nothing, or little. */
function emptyLargestField(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cut(value, CUT_TEXT_CHARS);
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}
