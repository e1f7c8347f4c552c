import { SortedMap, type SortedKey } from '../SortedMap.js';

/** The keys of a table in the order of insertion. Immutable, like the records. */
export class InsertionOrder<K extends SortedKey> implements Iterable<K> {
  readonly #keys: SortedMap<K, number>;
  readonly #places: SortedMap<number, K>;
  readonly #next: number;

  constructor(keys: SortedMap<K, number> = SortedMap.empty, places: SortedMap<number, K> = SortedMap.empty, next = 0) {
    this.#keys = keys;
    this.#places = places;
    this.#next = next;
  }

  placeOf(key: K): number | undefined {
    return this.#places.get(key);
  }

  /** Adds a key at the end. An existing key keeps its place. */
  with(key: K): InsertionOrder<K> {
    if (this.#places.get(key) !== undefined) return this;
    const place = this.#next;
    return new InsertionOrder(this.#keys.with(place, key), this.#places.with(key, place), place + 1);
  }

  without(key: K): InsertionOrder<K> {
    const place = this.#places.get(key);
    if (place === undefined) return this;
    return new InsertionOrder(this.#keys.without(place), this.#places.without(key), this.#next);
  }

  /** Returns the keys that came, went or moved since an older order. */
  differences(older: InsertionOrder<K>): Iterable<K> {
    return this.#places.differences(older.#places);
  }

  *[Symbol.iterator](): Generator<K> {
    for (const [, key] of this.#keys) yield key;
  }
}
