/** Creates the value on first use, and returns the same value from then on. */
export function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * Returns the value that a map has for a key; creates and adds it first if there is none.
 *
 * @param create should be a function of the module where every call passes: a closure is created even if it is not needed
 */
export function getOrCreate<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  create: (key: K) => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create(key);
  map.set(key, made);
  return made;
}
