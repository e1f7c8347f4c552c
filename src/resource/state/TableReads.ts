import type { SortedKey, SortedMap } from '../SortedMap.js';
import type { InsertionOrder } from './InsertionOrder.js';

/** The records of a table at one moment. Immutable. */
export interface TableState<K extends SortedKey, V> {
  readonly rows: SortedMap<V, K>;
  readonly size: number;
  readonly order?: InsertionOrder<K> | undefined;
}

/** The aspect of a key that an answer depended on: whether there is a record, or which record. */
export type Aspect = 'presence' | 'record';

/** The reads of a table, which can later be compared with another state. */
export class TableReads<K extends SortedKey> {
  readonly #keys = new Map<K, Aspect>();
  #size = false;
  /** True after an iteration: its answer depends on every record, and on the absence of others. */
  #all = false;

  /** Records a read; returns false if it was recorded before. */
  note(key: K, aspect: Aspect): boolean {
    const known = this.#keys.get(key);
    if (known === 'record' || known === aspect) return false;
    this.#keys.set(key, aspect);
    return true;
  }

  noteWhole(aspect: 'size' | 'records'): void {
    if (aspect === 'size') this.#size = true;
    else this.#all = true;
  }

  /** Returns true if a read of one state would differ in the other. */
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
