/** Deeper and larger values are written by way of a copy, which knows what it has met. */
const DEEPEST = 32;
const MOST_ENTRIES = 20_000;
const MOST_CHARACTERS = 1_000_000;

/**
 * The JSON of a value that JSON.stringify writes exactly as a `Serialiser` would: it needs no copy, and most results are such.
 *
 * @returns undefined for all others, for texts, and for large values
 */
export function plainJson(value: unknown): string | undefined {
  return isPlainJson(value) ? JSON.stringify(value) : undefined;
}

/** True for a value, not too large, that holds nothing but plain data. */
export function isPlainJson(value: unknown): boolean {
  return new PlainCheck().accepts(value, 0);
}

class PlainCheck {
  #entries = MOST_ENTRIES;
  #characters = MOST_CHARACTERS;

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
        return value === null || (depth < DEEPEST && this.#container(value, depth + 1));
      default:
        return false;
    }
  }

  #container(value: object, depth: number): boolean {
    try {
      if (Array.isArray(value))
        return value.length <= this.#entries && value.every((item) => this.accepts(item, depth));
      if (Object.getPrototypeOf(value) !== Object.prototype) return false;
      let isEmpty = true;
      for (const key in value) {
        if (key === 'toJSON' || !this.accepts((value as Readonly<Record<string, unknown>>)[key], depth)) return false;
        this.#characters -= key.length;
        isEmpty = false;
      }
      // What has no keys may have abilities, such as an iterator.
      return !isEmpty || Object.getOwnPropertySymbols(value).length === 0;
    } catch {
      return false;
    }
  }
}
