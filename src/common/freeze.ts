import { ownOptions } from './ownOptions.js';

/** Copies the options that are an object's own, and freezes the copy. */
export function freezeOptions<T extends object>(given: T): T {
  return Object.freeze(ownOptions(given));
}

/** Freezes plain objects and arrays all the way down; functions and class instances are left alone. */
export function freezePlain<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return value;
  Object.freeze(value);
  for (const entry of Object.values(value)) freezePlain(entry);
  return value;
}
