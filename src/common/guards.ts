/** An object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for anything of type `object` but null: records, lists, dates, instances. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** True for an object that is not a list. Never throws. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !isArray(value);
}

/** True for an object literal of any realm, or an object from JSON.parse: it has no prototype, or one without a prototype. */
export function isPlainObject(value: unknown): value is Fields {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** `Array.isArray` that never throws: a revoked proxy does. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** True for a string. */
export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
