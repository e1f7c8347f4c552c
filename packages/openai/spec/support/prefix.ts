import { isDeepStrictEqual } from 'node:util';
import { list, type Json } from './json';

/**
 * The entries of an earlier request that a later one of the same conversation does not repeat, by their places: `tools` as a
 * whole, and every message or item.
 */
export function changedEntries(before: Json, after: Json): readonly string[] {
  const said = 'input' in before ? 'input' : 'messages';
  const later = list(after[said]);
  return [
    ...(isDeepStrictEqual(before['tools'], after['tools']) ? [] : ['tools']),
    ...list(before[said]).flatMap((entry, index) =>
      isDeepStrictEqual(entry, later[index]) ? [] : [`${said}[${String(index)}]`],
    ),
  ];
}
