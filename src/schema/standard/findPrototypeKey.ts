import type { JsonSchema } from '../../common/types.js';
import { isPrototypeKey } from '../limits.js';
import { locateValue } from './locateValue.js';

/**
 * Finds the path of the first key that would set or replace a prototype when code assigns it: `__proto__` anywhere, `constructor`
 * and `prototype` unless the schema declares a property of that name.
 *
 * @param schema `{}` if there is none
 * @param value plain data of limited depth
 */
export function findPrototypeKey(schema: JsonSchema, value: unknown): string | undefined {
  return new KeySearch(schema, value).searchBelow(value);
}

class KeySearch {
  readonly #schema: JsonSchema;
  readonly #root: unknown;
  readonly #path: string[] = [];

  constructor(schema: JsonSchema, root: unknown) {
    this.#schema = schema;
    this.#root = root;
  }

  searchBelow(value: unknown): string | undefined {
    if (typeof value !== 'object' || value === null) return undefined;
    for (const key of Object.keys(value)) {
      this.#path.push(key);
      if (isPrototypeKey(key) && !Array.isArray(value)) {
        const { declared, path } = locateValue(this.#schema, this.#root, this.#path);
        if (key === '__proto__' || !declared) return path;
      }
      const found = this.searchBelow((value as Readonly<Record<string, unknown>>)[key]);
      if (found !== undefined) return found;
      this.#path.pop();
    }
    return undefined;
  }
}
