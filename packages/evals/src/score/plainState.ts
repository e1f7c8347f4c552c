import { isRecord } from 'toolwright/internal/light';
import { writeJsonText } from '../describeJson.js';

/**
 * Writes state as plain JSON for comparisons: maps, tables and other iterables of pairs as objects by key, other iterables as lists,
 * and objects with `toJSON` as it says.
 *
 * @throws TypeError for state that contains itself
 */
export function toPlainState(state: unknown): unknown {
  // Tables write themselves as lists of pairs, whose differences would have no keys: so this looks at the value before its `toJSON`.
  function replace(this: Readonly<Record<string, unknown>>, key: string, written: unknown): unknown {
    const value = this[key];
    if (!isRecord(value) || !(Symbol.iterator in value)) return written;
    const items = [...(value as unknown as Iterable<unknown>)];
    return items.every(isPair) ? Object.fromEntries(items) : items;
  }
  const text = writeJsonText(state, replace);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

function isPair(item: unknown): item is readonly [string | number, unknown] {
  return Array.isArray(item) && item.length === 2 && ['string', 'number'].includes(typeof item[0]);
}
