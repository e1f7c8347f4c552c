/** An object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns true if a value of a provider is an object and not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes the fields that an adapter writes itself. */
export function omitFields<T extends object>(given: T, fields: readonly string[]): T {
  const left = new Set(fields);
  return Object.fromEntries(Object.entries(given).filter(([field]) => !left.has(field))) as T;
}

/** Returns a number of tokens that a provider reported, or undefined for any other value. */
export function readTokenCount(given: unknown): number | undefined {
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
}
