/** An object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Tells whether a value of a provider is an object, and not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
