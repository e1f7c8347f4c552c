import { className } from '../../common/classes.js';
import { describeValue, isArray } from '../../common/text.js';

/** True if the value is an object literal of any realm, or an object from JSON.parse. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Describes a value; names the class of an instance. */
export function kindText(value: unknown): string {
  if (typeof value !== 'object' || value === null || isArray(value) || isPlainObject(value))
    return describeValue(value);
  return `an instance of ${className((value as { readonly constructor?: unknown }).constructor)}`;
}

/** Sets a property of any name: assigning to "__proto__" would set the prototype. */
export function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
