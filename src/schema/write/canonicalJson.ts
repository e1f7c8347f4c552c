/**
 * Returns JSON that is the same for values that JSON Schema takes for equal: the order of keys does not matter, and fields that are
 * undefined are left out.
 *
 * @param onValue called for each value
 */
export function canonicalJson(value: unknown, onValue: () => void): string {
  onValue();
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each, onValue)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each, onValue)}`).join(',')}}`;
}
