/** A JSON object of which nothing is known. */
export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries of a list; empty for anything else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The objects of a list, with their positions; what is no object is for the rule on shapes to find. */
export function objects(value: unknown): readonly (readonly [number, Json])[] {
  return list(value).flatMap((entry, index) => (isJson(entry) ? [[index, entry] as const] : []));
}

/** The members of an object; empty for anything else. */
export function members(value: unknown): readonly (readonly [string, unknown])[] {
  return isJson(value) ? Object.entries(value) : [];
}

/** The keys that do not belong. */
export function strangers(value: Json, known: readonly string[]): readonly string[] {
  return Object.keys(value).filter((key) => !known.includes(key));
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify([value]).slice(1, -1);
}
