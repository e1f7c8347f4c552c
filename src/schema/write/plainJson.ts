import { isClass } from '../../common/classes.js';
import { MAX_PLAIN_CHARS, MAX_PLAIN_ENTRIES, MAX_PLAIN_LEVELS } from '../../common/limits.js';
import type { Constructor } from '../../common/types.js';
import { createSerialiser } from './createSerialiser.js';
import { isObject } from '../../common/guards.js';

/**
 * Writes the JSON of a value for which JSON.stringify gives the same result as a `Serialiser`, which holds for most results and
 * saves a copy.
 *
 * @returns undefined for other values, for texts, and for large values
 */
export function toPlainJson(value: unknown): string | undefined {
  return isPlainJson(value) ? JSON.stringify(value) : undefined;
}

/** Checks for a value of limited size that holds only plain data. */
export function isPlainJson(value: unknown): boolean {
  return new PlainCheck().accepts(value, 0);
}

/** Members that make an object more than its properties. */
const MEMBERS: ReadonlySet<string> = new Set(['toJSON', 'then', 'getReader', 'next', 'arrayBuffer']);
const bare = new WeakMap<object, boolean>();

/** Checks for the prototype of a class that does not declare how its instances are written. */
function isBare(prototype: object | null): boolean {
  if (prototype === null) return false;
  return bare.get(prototype) ?? readBare(prototype);
}

function readBare(prototype: object): boolean {
  const type: unknown = prototype.constructor;
  const found =
    isClass(type) &&
    type.prototype === prototype &&
    ![...MEMBERS, Symbol.iterator, Symbol.asyncIterator].some((member) => member in prototype) &&
    isUndeclared(type);
  bare.set(prototype, found);
  return found;
}

function isUndeclared(type: Constructor): boolean {
  const { byProperty, onlyThese } = createSerialiser('as-is').namesOf(type);
  return byProperty.size === 0 && !onlyThese;
}

/** Checks each result, so its loop looks only at what JSON writes; `walkValue` would list the keys of instances as well. */
class PlainCheck {
  #entries = MAX_PLAIN_ENTRIES;
  #characters = MAX_PLAIN_CHARS;

  accepts(value: unknown, depth: number): boolean {
    if (--this.#entries < 0) return false;
    switch (typeof value) {
      case 'string':
        this.#characters -= value.length;
        return depth > 0 && this.#characters >= 0;
      case 'boolean':
        return true;
      case 'number':
        return Number.isFinite(value);
      case 'object':
        return value === null || (depth < MAX_PLAIN_LEVELS && this.#acceptsContainer(value, depth + 1));
      default:
        return false;
    }
  }

  #acceptsItems(items: readonly unknown[], depth: number): boolean {
    return items.every((item) => this.accepts(item, depth));
  }

  #acceptsContainer(value: object, depth: number): boolean {
    try {
      if (Array.isArray(value)) return value.length <= this.#entries && this.#acceptsItems(value, depth);
      const prototype = Object.getPrototypeOf(value) as object | null;
      const isInstance = prototype !== Object.prototype;
      if (isInstance && !(isBare(prototype) && Object.prototype.toString.call(value) === '[object Object]'))
        return false;
      let isEmpty = true;
      for (const key in value) {
        const entry = (value as Readonly<Record<string, unknown>>)[key];
        // Nulls of instances are left out.
        if (MEMBERS.has(key) || (isInstance && entry === null) || !this.accepts(entry, depth)) return false;
        this.#characters -= key.length;
        isEmpty = false;
      }
      // An object without keys may be something else, such as an iterator; one with keys is not plain if it is an async iterable.
      return isEmpty ? Object.getOwnPropertySymbols(value).length === 0 : !(Symbol.asyncIterator in value);
    } catch {
      return false;
    }
  }
}

/**
 * Writes JSON that is equal for values that JSON Schema considers equal: sorts keys, and omits undefined fields.
 *
 * @param onValue called for each value
 */
export function canonicalJson(value: unknown, onValue: () => void): string {
  onValue();
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each, onValue)).join(',')}]`;
  if (!isObject(value)) return value === undefined ? '' : JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each, onValue)}`).join(',')}}`;
}
