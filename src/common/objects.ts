import { isObject } from './guards.js';

/** Freezes plain objects and arrays at all levels. Functions and class instances are not changed. */
export function freezePlain<T>(value: T): T {
  if (!isObject(value) || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return value;
  Object.freeze(value);
  for (const entry of Object.values(value)) freezePlain(entry);
  return value;
}

/**
 * Returns a record with the same keys. Each value is computed from the key and the old value. Defines keys such as `__proto__` instead
 * of assigning them, because a model may have sent them.
 */
export function mapEntries<V, R>(
  record: Readonly<Record<string, V>>,
  change: (key: string, value: V) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(key, value)]));
}

/** Returns a copy without the properties that are undefined. In a path that each run takes, conditional spreads are faster. */
export function omitUndefined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}

/** Returns an own property of an object; undefined for any other value or key: `toString` is not data. */
export function getOwnValue(owner: unknown, key: PropertyKey): unknown {
  return isObject(owner) && Object.hasOwn(owner, key) ? (owner as Record<PropertyKey, unknown>)[key] : undefined;
}

/**
 * Returns the own options of an object: a property that other code has put on `Object.prototype` must not grant a
 * permission or reveal a secret. A missing option is undefined, whatever its name.
 */
export function copyOwnOptions<T extends object>(given: T): T {
  return Object.assign(Object.create(null) as T, given);
}
