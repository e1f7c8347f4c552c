import type { SortedKey, SortedMap } from '../SortedMap.js';
import type { InsertionOrder } from './InsertionOrder.js';

/** The records of a table at one moment; immutable. */
export interface TableState<K extends SortedKey, V> {
  readonly rows: SortedMap<V, K>;
  readonly size: number;
  /** The order of insertion, in a table that keeps it. */
  readonly order?: InsertionOrder<K> | undefined;
}

/** What an answer about one key depended on: whether there is a record, or which one. */
export type Aspect = 'presence' | 'record';

/** What was read of a table, for checking later if it would be the same. */
export class TableReads<K extends SortedKey> {
  readonly #keys = new Map<K, Aspect>();
  #size = false;
  #all = false;

  /** Records a read; returns false if it was recorded before. */
  note(key: K, aspect: Aspect): boolean {
    const known = this.#keys.get(key);
    if (known === 'record' || known === aspect) return false;
    this.#keys.set(key, aspect);
    return true;
  }

  noteSize(): void {
    this.#size = true;
  }

  /** Records an iteration, whose answer depends on every record, and on those that were not there. */
  noteAll(): void {
    this.#all = true;
  }

  /** True if a read of one state would differ in the other. */
  differ<V>(before: TableState<K, V>, now: TableState<K, V>): boolean {
    if (before === now) return false;
    if (this.#all || (this.#size && before.size !== now.size)) return true;
    for (const [key, aspect] of this.#keys) {
      const [a, b] = [before.rows.get(key), now.rows.get(key)];
      if (aspect === 'record' ? a !== b : (a === undefined) !== (b === undefined)) return true;
    }
    return false;
  }
}
