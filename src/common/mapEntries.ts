/** Returns a record with the same keys; each value is made from the key and the value before. */
export function mapEntries<V, R>(
  record: Readonly<Record<string, V>>,
  change: (key: string, value: V) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(key, value)]));
}
