import { describeValue, messageOf } from '../common/text.js';
import type { JsonValue } from '../common/types.js';

const DEEPEST = 60;
/** Longer texts are cut: a recording is for a person to look at. */
const LONGEST_TEXT = 400_000;

type Change = (text: string) => string;

interface Changes {
  readonly text: Change;
  readonly key: Change;
}

/**
 * Returns any value as plain JSON, whatever it is: errors with name, message and code, maps as pairs, what cannot be shown as a
 * text in brackets. Never throws.
 *
 * @param change is applied to every text
 * @param key is applied to the keys of objects
 */
export function plainJson(value: unknown, change: Change = (text) => text, key: Change = change): JsonValue {
  return plain(value, { text: change, key }, [], 0);
}

function plain(value: unknown, changes: Changes, above: readonly object[], depth: number): JsonValue {
  const { text: change } = changes;
  if (typeof value === 'string') return change(shortened(value));
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'number') {
    const text = String(value);
    return Number.isFinite(value) && change(text) === text ? value : change(text);
  }
  if (typeof value === 'bigint') return change(String(value));
  if (typeof value !== 'object') return `[${describeValue(value)}]`;
  if (above.includes(value)) return '[refers to itself]';
  if (depth > DEEPEST) return '[nested too deeply]';
  try {
    return ofObject(value, changes, [...above, value], depth + 1);
  } catch (error) {
    return change(`[not readable: ${messageOf(error)}]`);
  }
}

function ofObject(value: object, changes: Changes, above: readonly object[], depth: number): JsonValue {
  const inner = (entry: unknown): JsonValue => plain(entry, changes, above, depth);
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[no date]' : value.toISOString();
  if (value instanceof Map) return [...value].map(([key, entry]) => [inner(key), inner(entry)]);
  if (value instanceof Set) return [...value].map(inner);
  if (ArrayBuffer.isView(value)) return `[${String(value.byteLength)} bytes]`;
  if (value instanceof Error) {
    const { name, message, code, place } = value as Error & { readonly code?: unknown; readonly place?: unknown };
    return Object.fromEntries(
      Object.entries({ name, message, code, place }).flatMap(([key, entry]) =>
        entry === undefined ? [] : [[key, inner(entry)]],
      ),
    );
  }
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return inner((toJSON as (this: object) => unknown).call(value));
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  // Keys such as __proto__ become properties.
  return Object.fromEntries(entries.map(([key, entry]) => [changes.key(key), inner(entry)]));
}

function shortened(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  return `${text.slice(0, LONGEST_TEXT)}… (${String(text.length)} characters)`;
}
