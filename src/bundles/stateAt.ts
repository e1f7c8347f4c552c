import type { JsonValue } from '../common/types.js';
import type { BundleEntry } from './BundleEntry.js';

/**
 * Returns the values of a session's slices by their names, as they were before an entry. The time grows with the number of
 * entries and values alone.
 *
 * @param session its id
 * @param before the `seq` of the entry; the state at the end when left out
 */
export function stateAt(
  entries: readonly BundleEntry[],
  session: string,
  before = Number.POSITIVE_INFINITY,
): Readonly<Record<string, readonly JsonValue[]>> {
  const slices = new Map<string, JsonValue[]>();
  for (const entry of entries) {
    if (entry.seq >= before) break;
    if (entry.kind !== 'state' || entry.session !== session) continue;
    for (const [name, values] of Object.entries(entry.replaced ?? {})) slices.set(name, [...values]);
    for (const [name, values] of Object.entries(entry.appended ?? {})) {
      const slice = slices.get(name);
      if (slice === undefined) slices.set(name, [...values]);
      // To one list: a copy for each entry would cost the square of their number.
      else for (const value of values) slice.push(value);
    }
  }
  return Object.fromEntries(slices);
}
