import type { Fields } from '../common/guards.js';
import { mapEntries, omitUndefined } from '../common/objects.js';
import { describeValue, messageOf } from '../common/text.js';
import type { JsonValue } from '../common/types.js';
import { MAX_RECORDED_LEVELS, MAX_RECORDED_TEXT_CHARS, MAX_RECORDED_VALUES } from './limits.js';

/**
 * Returns any value as plain JSON: an error with name, message and code, a map as pairs, everything that JSON cannot hold as a text in
 * brackets. Never throws.
 */
export function copyBoundedJson(value: unknown): JsonValue {
  return copyPlain(value, [], { values: MAX_RECORDED_VALUES });
}

/** How many more values are walked. */
interface Room {
  values: number;
}

/** @param above the objects that hold the value, the outermost first */
function copyPlain(value: unknown, above: readonly object[], room: Room): JsonValue {
  if (typeof value === 'string') return shortenText(value);
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return `[${describeValue(value)}]`;
  if (above.includes(value)) return '[refers to itself]';
  if (above.length > MAX_RECORDED_LEVELS) return '[nested too deeply]';
  if (--room.values < 0) return '[too many values]';
  try {
    return copyObject(value, [...above, value], room);
  } catch (error) {
    return `[not readable: ${messageOf(error)}]`;
  }
}

function copyObject(value: object, above: readonly object[], room: Room): JsonValue {
  const inner = (entry: unknown): JsonValue => copyPlain(entry, above, room);
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[no date]' : value.toISOString();
  if (value instanceof Map) return [...value].map(([key, entry]) => [inner(key), inner(entry)]);
  if (value instanceof Set) return [...value].map(inner);
  if (ArrayBuffer.isView(value)) return `[${String(value.byteLength)} bytes]`;
  if (value instanceof Error) {
    const { name, message, code, place } = value as Error & { readonly code?: unknown; readonly place?: unknown };
    return mapEntries(omitUndefined({ name, message, code, place }), (_key, entry) => inner(entry));
  }
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return inner((toJSON as (this: object) => unknown).call(value));
  return mapEntries(omitUndefined(value as Fields), (_key, entry) => inner(entry));
}

function shortenText(text: string): string {
  if (text.length <= MAX_RECORDED_TEXT_CHARS) return text;
  return `${text.slice(0, MAX_RECORDED_TEXT_CHARS)}… (${String(text.length)} characters)`;
}
