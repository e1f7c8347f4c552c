import { isObject } from './guards.js';

/** How much a value may hold. A bound that is left out is not checked. */
export interface WalkBounds {
  /** The most values: scalars, lists and objects, the value itself included. */
  readonly values?: number;
  /** The most levels of nested lists and objects, beyond the outermost. */
  readonly depth?: number;
  /** Visits an object once on each level, however many parents there hold it; otherwise it counts as often as it is held. */
  readonly once?: boolean;
}

/** The bound that a value exceeds. */
export type JsonExcess = 'values' | 'depth';

/** Returns the bound that a value exceeds as text, such as `at most 64 levels of nesting`. */
export function boundText(excess: JsonExcess, bounds: Readonly<Record<JsonExcess, number>>): string {
  return `at most ${String(bounds[excess])} ${excess === 'depth' ? 'levels of nesting' : excess}`;
}

/** Gets a value and its key, which is undefined for the outermost value and for items of lists. Ends the walk by `true`. */
export type Visitor = (value: unknown, key: string | undefined) => boolean;

/**
 * Visits a value of JSON and everything in it, level by level, since recursion would overflow the stack. Without bounds it does not
 * end for a value that contains itself.
 *
 * Other walkers keep loops of their own, for one of three reasons. Some follow a declared type: parsers, `Conformity`, `SecretHider`.
 * Some read descriptors, so that no getter runs: `deepCopy`, `freezeState`. Some write or copy while they walk, and have to know
 * when an object ends: `PlainWriter`, `mapStrings`, `copyBoundedJson`, `JsonCheck` with its paths.
 *
 * @returns undefined after all values were visited
 */
export function walkValue(root: unknown, bounds: WalkBounds): JsonExcess | undefined;
export function walkValue(root: unknown, bounds: WalkBounds, visit: Visitor): JsonExcess | 'visitor' | undefined;
export function walkValue(root: unknown, bounds: WalkBounds, visit?: Visitor): JsonExcess | 'visitor' | undefined {
  const { values: most = Infinity, depth: deepest = Infinity, once = false } = bounds;
  if (visit?.(root, undefined) === true) return 'visitor';
  let level: readonly object[] = isObject(root) ? [root] : [];
  let values = 1;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return 'depth';
    const below: object[] = [];
    for (const parent of level) {
      // Keys are counted before the values are read, which takes ten times as long.
      const keys = Array.isArray(parent) ? undefined : Object.keys(parent);
      values += (keys ?? (parent as readonly unknown[])).length;
      if (values > most) return 'values';
      // Without a bound, the holes of a list with a large length and few items must not be visited.
      const isListed = keys === undefined && most < Infinity;
      const inner: readonly unknown[] = isListed ? (parent as readonly unknown[]) : Object.values(parent);
      for (let index = 0; index < inner.length; index++) {
        const each = inner[index];
        if (visit?.(each, keys?.[index]) === true) return 'visitor';
        if (isObject(each)) below.push(each);
      }
    }
    level = once ? [...new Set(below)] : below;
  }
  return undefined;
}

/** Gets a part of a value, the keys that lead to it, and the list or object that holds it. */
type Look<R> = (part: unknown, path: readonly string[], holder: object | undefined) => R | undefined;

/** Looks at a value of limited depth and at its parts, each before the parts within it, and returns the first result. */
export function findPart<R>(root: unknown, look: Look<R>): R | undefined {
  const path: string[] = [];
  const search = (value: unknown, holder: object | undefined): R | undefined => {
    const found = look(value, path, holder);
    if (found !== undefined || !isObject(value)) return found;
    for (const key of Object.keys(value)) {
      path.push(key);
      const inner = search((value as Readonly<Record<string, unknown>>)[key], value);
      if (inner !== undefined) return inner;
      path.pop();
    }
    return undefined;
  };
  return search(root, undefined);
}

/** Returns an empty list, or an object with the same prototype. */
export function emptyCopy(value: object): object {
  return Array.isArray(value) ? [] : (Object.create(Object.getPrototypeOf(value) as object | null) as object);
}

/** Sets a property of any name without running a setter: an assignment to `__proto__` would set the prototype. */
export function setProperty(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Defines a property of a copy, by assignment if that does the same: defining takes several times as long. */
export function defineProperty(copy: object, key: PropertyKey, property: PropertyDescriptor): void {
  const { writable, enumerable, configurable } = property;
  const isOrdinary = writable === true && enumerable === true && configurable === true;
  if (isOrdinary && !(key in copy)) (copy as Record<PropertyKey, unknown>)[key] = property.value;
  else Object.defineProperty(copy, key, property);
}
