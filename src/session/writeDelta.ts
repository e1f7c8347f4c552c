import type { JsonValue } from '../common/types.js';
import type { SessionDelta } from '../interface/RunEntry.js';
import { PersistentList } from './table/PersistentList.js';
import { tableAccess } from './table/KeptTable.js';
import type { Session } from './Session.js';
import { readSlices, requireSliceName } from './sessionJson.js';
import type { TableStates } from './table/SessionTables.js';
import type { SliceScope } from './slice/SliceRegistry.js';
import type { SliceKey } from './slice/SliceStore.js';
import { StatePath } from './state/StatePath.js';
import { StateWriter } from './state/StateWriter.js';
import { writeRows } from './table/tableJson.js';

type Slices = ReadonlyMap<SliceKey, PersistentList<unknown>>;

/**
 * Returns the changes of a session as plain data: for each slice the appended values, or all values if others were removed or
 * changed. The cost depends on the appended values, not on the earlier ones. Leaves out LOG slices, like `toJSON`. For a table,
 * writes the changed rows as appended; the first change writes all rows.
 *
 * @param changes the new states of slices, such as `changes` of a transaction that is about to be applied
 * @param before the previous states; by default the states of the session
 * @param scope of the tables that are written
 * @param tables the states of tables that were written last; by default the current ones, so that none has changed
 * @returns undefined if nothing that is written has changed
 * @throws SessionError E805 with the place of a value that could not be read back unchanged, or of a slice without a name
 */
export function writeDelta(
  session: Session,
  changes: Slices,
  before: Slices = session.base.slices,
  tables: TableStates = session.base.tables.states,
  scope: SliceScope = 'conversation',
): SessionDelta | undefined {
  const appended: [name: string, values: readonly JsonValue[]][] = [];
  const replaced: typeof appended = [];
  const writer = new StateWriter();
  for (const [key, list] of changes) {
    if (session.rules.policyOf(key) === 'log') continue;
    const older = before.get(key) ?? PersistentList.empty;
    const added = findAppended(older, list);
    if (added?.length === 0) continue;
    const slice = session.registry.ofType(key);
    if (slice === undefined) {
      // Empty slices are not written; earlier values would have been refused when they arrived.
      if (list.length > 0) requireSliceName(key, session.registry, list.length);
      continue;
    }
    const [offset, values, written] =
      added === undefined ? [0, list.values, replaced] : [older.length, added, appended];
    const path = StatePath.of('slices').at(slice.name);
    const json = values.map((value, index) => writer.writeInstance(slice.type, value, path.at(offset + index)));
    written.push([slice.name, json]);
  }
  for (const { name, rows, isWhole } of listChangedTables(session, scope, tables, writer))
    (isWhole ? replaced : appended).push([name, rows]);
  if (appended.length + replaced.length === 0) return undefined;
  return {
    ...(appended.length > 0 && { appended: Object.fromEntries(appended) }),
    ...(replaced.length > 0 && { replaced: Object.fromEntries(replaced) }),
  };
}

/**
 * Applies the changes that `writeDelta` wrote: values become instances of their classes, frozen as their slices require.
 *
 * @param scope of the slices that are changed. Other prompts of a user may have slices that this session has not: they are
 * skipped
 * @throws SessionError E806 with the place of an unreadable value; E809; nothing is changed then
 */
export function applyDelta(session: Session, delta: SessionDelta, scope: SliceScope = 'conversation'): void {
  const lists = new Map<SliceKey, PersistentList<unknown>>();
  const replaced = readSlices('replaced', delta.replaced ?? {}, session, scope);
  const appended = readSlices('appended', delta.appended ?? {}, session, scope);
  if (delta.cleared === true) session.base.reset(scope);
  for (const [type, values] of replaced.slices) lists.set(type, PersistentList.of(values));
  for (const [type, values] of appended.slices) {
    const before = lists.get(type) ?? session.base.read(type);
    lists.set(type, before.appendAll(values));
  }
  for (const [key, list] of lists) session.base.write(key, list);
  for (const [type, rows] of replaced.tables) session.base.tables.write(type, rows, true);
  for (const [type, rows] of appended.tables) session.base.tables.write(type, rows, false);
}

function listChangedTables(
  { base, registry }: Session,
  scope: SliceScope,
  written: TableStates,
  writer: StateWriter,
): readonly { readonly name: string; readonly rows: readonly JsonValue[]; readonly isWhole: boolean }[] {
  const now = base.tablesOf(scope);
  return [...new Set([...now.keys(), ...written.keys()])].flatMap((type) => {
    const [before, slice] = [written.get(type), registry.ofType(type)];
    if (slice?.scope !== scope || before === (now.get(type) ?? base.tables.initialOf(type))) return [];
    const rows = base.tables.of(type)[tableAccess]().rowsSince(before);
    const isWhole = before === undefined;
    return rows.length === 0 && !isWhole ? [] : [{ name: slice.name, rows: writeRows(writer, slice, rows), isWhole }];
  });
}

/** Returns the values appended to a list to get another; undefined if it was replaced. */
function findAppended(older: PersistentList<unknown>, newer: PersistentList<unknown>): readonly unknown[] | undefined {
  const added = newer.listAppendedSince(older);
  if (added !== undefined) return added;
  // A reducer that returns all values and a new one replaces them, but only the new one has to be written.
  const { values } = newer;
  return older.values.every((value, index) => value === values[index]) ? values.slice(older.length) : undefined;
}
