import { isClass } from '../../common/classes.js';
import { MAX_PLAIN_CHARS, MAX_PLAIN_ENTRIES, MAX_PLAIN_LEVELS } from '../../common/limits.js';
import type { Constructor } from '../../common/types.js';
import { createSerialiser } from './createSerialiser.js';
import { isObject, type Fields } from '../../common/guards.js';

/**
 * Writes the JSON of a value for which JSON.stringify gives the same result as a `Serialiser`, which holds for most results and
 * saves a copy. A value that was checked before a commit is checked anew, since a commit may change it: it sets the id of a new
 * entity, for example.
 *
 * @returns undefined for other values, for texts, and for large values
 */
export function toPlainJson(value: unknown): string | undefined {
  return isPlainJson(value) ? JSON.stringify(value) : undefined;
}

/** Checks for a value of limited size that holds only plain data. */
export function isPlainJson(value: unknown): boolean {
  try {
    return new PlainCheck().accepts(value, 0);
  } catch {
    // A getter or a proxy threw.
    return false;
  }
}

/** Members that make an object more than its properties. */
const MEMBERS = ['toJSON', 'then', 'getReader', 'next', 'arrayBuffer'];
const bare = new WeakMap<object, boolean>();

/** Compares with each, because a set would hash every key of a result. */
function isMember(key: string): boolean {
  switch (key) {
    case 'toJSON':
    case 'then':
    case 'getReader':
    case 'next':
    case 'arrayBuffer':
      return true;
    default:
      return false;
  }
}

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

/**
 * Checks each result, so its loops look only at what JSON writes; `walkValue` would list the keys of instances as well. Both loops
 * check texts themselves, since a call for each would take as long as the rest of the loop.
 */
class PlainCheck {
  #entries = MAX_PLAIN_ENTRIES;
  #characters = MAX_PLAIN_CHARS;

  accepts(value: unknown, depth: number): boolean {
    if (!isObject(value)) return isPlainScalar(value);
    if (depth >= MAX_PLAIN_LEVELS) return false;
    const isPlain = Array.isArray(value) ? this.#acceptsItems(value, depth + 1) : this.#acceptsFields(value, depth + 1);
    return isPlain && this.#characters >= 0;
  }

  #acceptsItems(items: readonly unknown[], depth: number): boolean {
    this.#entries -= items.length;
    if (this.#entries < 0) return false;
    for (const item of items) {
      if (typeof item === 'string') this.#characters -= item.length;
      else if (!this.accepts(item, depth)) return false;
    }
    return true;
  }

  #acceptsFields(value: object, depth: number): boolean {
    const prototype = Object.getPrototypeOf(value) as object | null;
    const isInstance = prototype !== Object.prototype;
    if (isInstance && !(isBare(prototype) && Object.prototype.toString.call(value) === '[object Object]')) return false;
    let isEmpty = true;
    for (const key in value) {
      if (--this.#entries < 0 || isMember(key)) return false;
      const entry = (value as Fields)[key];
      this.#characters -= key.length;
      isEmpty = false;
      if (typeof entry === 'string') this.#characters -= entry.length;
      // Nulls of instances are left out.
      else if ((isInstance && entry === null) || !this.accepts(entry, depth)) return false;
    }
    // An object without keys may be something else, such as an iterator; one with keys is not plain if it is an async iterable.
    return isEmpty ? Object.getOwnPropertySymbols(value).length === 0 : !(Symbol.asyncIterator in value);
  }
}

function isPlainScalar(value: unknown): boolean {
  return value === null || (typeof value === 'number' ? Number.isFinite(value) : typeof value === 'boolean');
}

// Read once: in a context of node:vm, in which test runners run code, each look at a global is slow.
const { isArray } = Array;
const { entries: listEntries } = Object;

/**
 * Writes JSON that is equal for values that JSON Schema considers equal: sorts keys, and omits undefined fields.
 *
 * @param onValue called for each value
 */
export function canonicalJson(value: unknown, onValue: () => void): string {
  onValue();
  if (isArray(value)) return `[${value.map((each) => canonicalJson(each, onValue)).join(',')}]`;
  if (!isObject(value)) return value === undefined ? '' : JSON.stringify(value);
  const entries = listEntries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each, onValue)}`).join(',')}}`;
}
