import { className } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import type { Constructor, JsonValue } from '../common/types.js';
import type { SessionDelta } from '../interface/RunStore.js';
import type { PersistentList } from './PersistentList.js';
import type { Session } from './Session.js';
import type { SliceKey } from './SliceStore.js';
import { StatePath } from './StatePath.js';
import { StateWriter } from './StateWriter.js';

/**
 * Shows a session to a person: what has changed since it was last looked at, in plain JSON. It takes slices without a name by
 * their class, and logs too; a value that cannot be written is replaced by a text that says why. Secret fields are left out.
 */
export class StateWatch {
  readonly #session: Session;
  readonly #seen = new Map<SliceKey, PersistentList<unknown>>();
  readonly #writer = new StateWriter();

  constructor(session: Session) {
    this.#session = session;
  }

  /** The changes since the last call; at first, everything. Undefined if there are none. */
  changes(): SessionDelta | undefined {
    const appended: Record<string, readonly JsonValue[]> = {};
    const replaced: Record<string, readonly JsonValue[]> = {};
    const { slices } = this.#session.base;
    for (const [key, list] of slices) {
      const before = this.#seen.get(key);
      if (before === list) continue;
      this.#seen.set(key, list);
      // The list may be of another copy of the package, which knows its own lists alone.
      const added = before === undefined ? list.values : list.since(before);
      if (added?.length === 0) continue;
      (added === undefined ? replaced : appended)[this.#nameOf(key)] = this.#written(key, added ?? list.values);
    }
    // A reset forgets slices.
    for (const key of this.#seen.keys()) {
      if (slices.has(key)) continue;
      this.#seen.delete(key);
      replaced[this.#nameOf(key)] = [];
    }
    const isSame = Object.keys(appended).length + Object.keys(replaced).length === 0;
    return isSame ? undefined : { appended, replaced };
  }

  #nameOf(key: SliceKey): string {
    return this.#session.registry.ofType(key)?.name ?? className(key);
  }

  #written(key: SliceKey, values: readonly unknown[]): readonly JsonValue[] {
    const path = StatePath.of('slices').at(this.#nameOf(key));
    return values.map((value, index) => {
      try {
        return this.#writer.instance(key as Constructor, value, path.at(index));
      } catch (error) {
        return `[not written: ${messageOf(error).split('\n', 1).join('')}]`;
      }
    });
  }
}
