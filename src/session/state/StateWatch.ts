import { className } from '../../common/classes.js';
import { messageOf } from '../../common/text.js';
import type { Constructor, JsonValue } from '../../common/types.js';
import type { SessionDelta } from '../../interface/RunEntry.js';
import type { PersistentList } from '../table/PersistentList.js';
import { tableAccess, type TableRow } from '../table/KeptTable.js';
import type { Session } from '../Session.js';
import type { SliceKey } from '../slice/SliceStore.js';
import { StatePath } from './StatePath.js';
import { StateWriter } from './StateWriter.js';
import { writeRow } from '../table/tableJson.js';

/**
 * Shows a session to a person: its changes since the last look, in plain JSON. Includes logs, and unregistered slices by the name
 * of their class; replaces a value that cannot be written with a text that says why. Leaves out secret fields.
 */
export class StateWatch {
  readonly #session: Session;
  readonly #seen = new Map<SliceKey, PersistentList<unknown>>();
  readonly #tables = new Map<SliceKey, object>();
  /** The names of slices that are not registered. */
  readonly #names = new Map<SliceKey, string>();
  readonly #writer = new StateWriter();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Returns the changes since the last call; everything on the first call. Undefined if there are none. */
  changes(): SessionDelta | undefined {
    const appended: [name: string, values: readonly JsonValue[]][] = [];
    const replaced: typeof appended = [];
    for (const [key, list] of this.#session.base.slices) {
      const before = this.#seen.get(key);
      if (before === list) continue;
      this.#seen.set(key, list);
      // The list may come from another copy of the package, which recognises only its own lists.
      const added = before === undefined ? list.values : list.listAppendedSince(before);
      if (added?.length === 0) continue;
      const values = added ?? list.values;
      (added === undefined ? replaced : appended).push([
        this.#getName(key),
        this.#writeValues(key, values, list.length - values.length),
      ]);
    }
    const { tables } = this.#session.base;
    const states = tables.states;
    for (const key of new Set([...states.keys(), ...this.#tables.keys()])) {
      const state = states.get(key) ?? tables.initialOf(key);
      if (this.#tables.get(key) === state) continue;
      this.#tables.set(key, state);
      replaced.push([this.#getName(key), this.#writeRows(key)]);
    }
    if (appended.length + replaced.length === 0) return undefined;
    return { appended: Object.fromEntries(appended), replaced: Object.fromEntries(replaced) };
  }

  /** Returns the name of a slice; numbers slices of classes with the same name. */
  #getName(key: SliceKey): string {
    const { registry } = this.#session;
    const known = registry.ofType(key)?.name ?? this.#names.get(key);
    if (known !== undefined) return known;
    const taken = new Set([...registry.names, ...this.#names.values()]);
    const name = className(key);
    let free = name;
    for (let count = 2; taken.has(free); count++) free = `${name} (${String(count)})`;
    this.#names.set(key, free);
    return free;
  }

  #writeRows(key: SliceKey): readonly JsonValue[] {
    const { base, registry } = this.#session;
    const name = this.#getName(key);
    const slice = registry.ofType(key) ?? { type: key as Constructor, records: undefined };
    const path = StatePath.of('slices').at(name);
    return base.tables
      .of(key)
      [tableAccess]()
      .rowsSince(undefined)
      .map((row: TableRow, index) => writeOrExplain(() => writeRow(this.#writer, slice, row, path.at(index))));
  }

  #writeValues(key: SliceKey, values: readonly unknown[], offset: number): readonly JsonValue[] {
    const path = StatePath.of('slices').at(this.#getName(key));
    return values.map((value, index) =>
      writeOrExplain(() => this.#writer.writeInstance(key as Constructor, value, path.at(offset + index))),
    );
  }
}

function writeOrExplain(write: () => JsonValue): JsonValue {
  try {
    return write();
  } catch (error) {
    return `[not written: ${messageOf(error).split('\n', 1).join('')}]`;
  }
}
