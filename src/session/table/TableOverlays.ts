import { getOrCreate } from '../../common/memoize.js';
import type { StateChange } from '../../interface/Transactional.js';
import type { KeptTable } from './KeptTable.js';
import type { SliceKey } from '../slice/SliceStore.js';

/** The changes that a call would make in a table. */
export interface ChangedTable {
  readonly key: SliceKey;
  readonly changes: readonly StateChange[];
}

export class TableOverlays {
  readonly #base: { tableOf(key: SliceKey): KeptTable };
  readonly #open = new Map<SliceKey, KeptTable>();

  constructor(base: { tableOf(key: SliceKey): KeptTable }) {
    this.#base = base;
  }

  /** @throws SessionError E808 */
  of(key: SliceKey): KeptTable {
    return getOrCreate(this.#open, key, () => this.#base.tableOf(key).begin());
  }

  /** True if something that was read or written has changed since. */
  get hasConflict(): boolean {
    return [...this.#open].some(([key, overlay]) => this.#base.tableOf(key).conflicts(overlay));
  }

  /** The first table that was written to. */
  get written(): SliceKey | undefined {
    return [...this.#open].find(([key, overlay]) => this.#base.tableOf(key).changed(overlay))?.[0];
  }

  get changes(): readonly ChangedTable[] {
    return [...this.#open].map(([key, overlay]) => ({ key, changes: this.#base.tableOf(key).changes(overlay) }));
  }

  commit(): void {
    for (const [key, overlay] of this.#open) this.#base.tableOf(key).commit(overlay);
  }
}
