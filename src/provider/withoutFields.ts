/** Removes the fields that an adapter writes itself. */
export function omitFields<T extends object>(given: T, fields: readonly string[]): T {
  const left = new Set(fields);
  return Object.fromEntries(Object.entries(given).filter(([field]) => !left.has(field))) as T;
}
