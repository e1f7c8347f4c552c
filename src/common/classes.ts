import { isObject } from './guards.js';
import type { Constructor } from './types.js';

/** Returns true if the value can be called with `new`. Arrow functions have no prototype, which distinguishes a thunk from a class. */
export function isClass(value: unknown): value is Constructor {
  return typeof value === 'function' && typeof (value as { prototype?: unknown }).prototype === 'object';
}

/** Returns the class behind a class or thunk, or undefined if a circular import left it unset. Never throws. */
export function resolveClass(reference: unknown): Constructor | undefined {
  if (isClass(reference)) return reference;
  if (typeof reference !== 'function') return undefined;
  const resolved = callThunk(reference as () => unknown);
  return isClass(resolved) ? resolved : undefined;
}

/** Returns the result of a thunk, or undefined if it throws, as it does while a class in a cycle of ES modules is uninitialised. */
export function callThunk(thunk: () => unknown): unknown {
  try {
    return thunk();
  } catch {
    return undefined;
  }
}

/** Returns the name of a class, or a label for an anonymous one. */
export function className(type: unknown): string {
  // A static member called name hides the name of the class.
  const name: unknown = typeof type === 'function' ? type.name : undefined;
  return typeof name === 'string' && name !== '' ? name : '(anonymous class)';
}

/** Returns `OrdersSection.getOrder`, or only the class. */
export function memberLabel(type: unknown, member: PropertyKey | undefined): string {
  return member === undefined ? className(type) : `${className(type)}.${String(member)}`;
}

/** Returns the class and its ancestors, nearest first, without `Object`. */
export function classChain(type: Constructor): readonly Constructor[] {
  const classes: Constructor[] = [];
  for (let prototype: unknown = type.prototype; prototype !== null && prototype !== Object.prototype;) {
    const owner = (prototype as { constructor: unknown }).constructor;
    if (isClass(owner)) classes.push(owner);
    prototype = Object.getPrototypeOf(prototype);
  }
  return classes;
}

/** Tests like `instanceof`, but never throws. A revoked proxy throws when its prototype is read. */
export function isInstance<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/** Returns true if the value is a promise of any implementation. Never throws, although the getter of `then` may. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (!isObject(value)) return false;
  try {
    return typeof (value as { then?: unknown }).then === 'function';
  } catch {
    return false;
  }
}

/** Handles the rejection of a promise that nothing awaits, because it would end the process. Ignores other values. */
export function ignoreRejection(value: unknown): void {
  if (isThenable(value)) value.then(undefined, () => undefined);
}
