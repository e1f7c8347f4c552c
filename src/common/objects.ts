import { isObject } from './guards.js';

/** Copies the options that are an object's own, and freezes the copy. */
export function freezeOptions<T extends object>(given: T): T {
  return Object.freeze(copyOwnOptions(given));
}

/** Freezes plain objects and arrays all the way down; functions and class instances are left alone. */
export function freezePlain<T>(value: T): T {
  if (!isObject(value) || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return value;
  Object.freeze(value);
  for (const entry of Object.values(value)) freezePlain(entry);
  return value;
}

/** Returns a record with the same keys; each value is made from the key and the value before. */
export function mapEntries<V, R>(
  record: Readonly<Record<string, V>>,
  change: (key: string, value: V) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(key, value)]));
}

/**
 * Returns the options that are an object's own: a property that something has put on `Object.prototype` must not grant a permission
 * or reveal a secret. An option that is not there is undefined, whatever its name.
 */
export function copyOwnOptions<T extends object>(given: T): T {
  return Object.assign(Object.create(null) as T, given);
}
