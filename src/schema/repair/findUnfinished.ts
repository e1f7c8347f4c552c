import { isClass } from '../../common/classes.js';
import { isObject, type Fields } from '../../common/guards.js';
import { MAX_SEARCHED_HOLES, MAX_SEARCHED_LEVELS, MAX_SEARCHED_OBJECTS } from '../../common/limits.js';
import { formatPath } from '../limits.js';
import { createSerialiser } from '../write/createSerialiser.js';
import { findUnfinishedKind } from '../write/builtInForms.js';

/** A part of a value that gets its data only later, so it cannot be written. */
export interface UnfinishedPart {
  /** `promise`, `iterator`, `async iterable` or `Response`. */
  readonly kind: string;
  /** `orders[0].total`; empty for the value itself. */
  readonly path: string;
}

/**
 * Finds the first promise, iterator or stream in a value, for example after a forgotten `await`. Marks the promises that it finds
 * as handled, since nothing else can await them.
 */
export function findUnfinished(value: unknown): UnfinishedPart | undefined {
  if (!isObject(value)) return undefined;
  const search = new Search();
  search.visit(value, []);
  return search.found;
}

class Search {
  found: UnfinishedPart | undefined;
  readonly #seen = new Set<object>();
  #holes = MAX_SEARCHED_HOLES;

  visit(value: object, path: readonly (string | number)[]): void {
    if (path.length > MAX_SEARCHED_LEVELS || this.#seen.has(value) || this.#seen.size > MAX_SEARCHED_OBJECTS) return;
    this.#seen.add(value);
    try {
      if (Array.isArray(value)) this.#searchList(value, path);
      else if (!isDeclared(value) && this.#isUnfinished(value, path)) return;
      else if (value instanceof Map) this.#searchMap(value, path);
      else if (value instanceof Set) this.#searchList([...value], path);
      else if (!ArrayBuffer.isView(value))
        for (const key of Object.keys(value)) this.#searchPart((value as Fields)[key], path, key);
    } catch {
      // Written as unreadable later.
    }
  }

  #isUnfinished(value: object, path: readonly (string | number)[]): boolean {
    const kind = findUnfinishedKind(value);
    if (kind === undefined) return false;
    if (value instanceof Promise) value.catch(() => undefined);
    this.found ??= { kind, path: formatPath(path) };
    return true;
  }

  #searchList(values: readonly unknown[], path: readonly (string | number)[]): void {
    for (let index = 0; index < values.length; index++) {
      if (values[index] === undefined && !(index in values) && --this.#holes < 0) {
        this.#searchSparse(values, path, index);
        return;
      }
      this.#searchPart(values[index], path, index);
    }
  }

  /** Searches the rest of a sparse list by its keys: it has fewer items than holes. */
  #searchSparse(values: readonly unknown[], path: readonly (string | number)[], from: number): void {
    for (const index of Object.keys(values).map(Number)) if (index > from) this.#searchPart(values[index], path, index);
  }

  #searchMap(values: ReadonlyMap<unknown, unknown>, path: readonly (string | number)[]): void {
    for (const [key, entry] of values) {
      this.#searchPart(key, path, 'key');
      this.#searchPart(entry, path, typeof key === 'string' ? key : 'entry');
    }
  }

  #searchPart(part: unknown, path: readonly (string | number)[], key: string | number): void {
    if (isObject(part)) this.visit(part, [...path, key]);
  }
}

/** Checks for an instance of a class that declares how it is written. */
function isDeclared(value: object): boolean {
  const maker: unknown = value.constructor;
  return isClass(maker) && maker !== Object && createSerialiser('as-is').namesOf(maker).byProperty.size > 0;
}
