import type { JsonValue } from '../common/types.js';
import type { SessionDelta } from '../interface/RunStore.js';
import { PersistentList } from './PersistentList.js';
import type { Session } from './Session.js';
import { checkNamed, objectAt, readValues, sliceNamed } from './sessionJson.js';
import type { SliceKey } from './SliceStore.js';
import { StatePath } from './StatePath.js';
import { StateReader } from './StateReader.js';
import { StateWriter } from './StateWriter.js';

type Slices = ReadonlyMap<SliceKey, PersistentList<unknown>>;

/**
 * Returns the changes of a session as plain data: for each slice what is appended to it, or all of its values if others
 * go or change. The cost depends on what is appended, not on what was there before. LOG slices are left out, as by `toJSON`.
 *
 * @param changes the new states of slices, such as `changes` of a transaction that is about to be applied
 * @param before the states that they follow; those of the session by default
 * @returns undefined if nothing that is written has changed
 * @throws SessionError E805 with the place of a value that could not be read back unchanged, or of a slice without a name
 */
export function writeDelta(
  session: Session,
  changes: Slices,
  before: Slices = session.base.slices,
): SessionDelta | undefined {
  const appended: [name: string, values: readonly JsonValue[]][] = [];
  const replaced: typeof appended = [];
  const writer = new StateWriter();
  for (const [key, list] of changes) {
    if (session.rules.policyOf(key) === 'log') continue;
    const older = before.get(key) ?? PersistentList.empty;
    const added = addedTo(older, list);
    if (added?.length === 0) continue;
    const slice = session.registry.ofType(key);
    if (slice === undefined) {
      // One that is empty is not written; what it held before would have been refused when it came.
      if (list.length > 0) checkNamed(key, session.registry, list.length);
      continue;
    }
    const [offset, values, written] =
      added === undefined ? [0, list.values, replaced] : [older.length, added, appended];
    const path = StatePath.of('slices').at(slice.name);
    const json = values.map((value, index) => writer.instance(slice.type, value, path.at(offset + index)));
    written.push([slice.name, json]);
  }
  if (appended.length + replaced.length === 0) return undefined;
  return {
    ...(appended.length > 0 && { appended: Object.fromEntries(appended) }),
    ...(replaced.length > 0 && { replaced: Object.fromEntries(replaced) }),
  };
}

/**
 * Makes the changes that `writeDelta` wrote: values become instances of their classes, frozen as their slices require.
 *
 * @throws SessionError E806 with the place of an unreadable value; nothing is changed then
 */
export function applyDelta(session: Session, delta: SessionDelta): void {
  const lists = new Map<SliceKey, PersistentList<unknown>>();
  for (const [type, values] of readPart(session, delta, 'replaced')) lists.set(type, PersistentList.of(values));
  for (const [type, values] of readPart(session, delta, 'appended')) {
    const before = lists.get(type) ?? session.base.read(type);
    lists.set(
      type,
      values.reduce<PersistentList<unknown>>((list, value) => list.append(value), before),
    );
  }
  for (const [key, list] of lists) session.base.write(key, list);
}

/** What is appended to a list to get another; undefined if it is replaced. */
function addedTo(older: PersistentList<unknown>, newer: PersistentList<unknown>): readonly unknown[] | undefined {
  const added = newer.since(older);
  if (added !== undefined) return added;
  // A reducer that returns all values and a new one replaces them, and only the new one has to be written.
  const { values } = newer;
  return older.values.every((value, index) => value === values[index]) ? values.slice(older.length) : undefined;
}

function readPart(
  session: Session,
  delta: SessionDelta,
  kind: keyof SessionDelta,
): readonly (readonly [type: SliceKey, values: readonly object[]])[] {
  const reader = new StateReader(session.logger);
  return Object.entries(objectAt(kind, delta[kind] ?? {})).map(([name, values]) => {
    const path = StatePath.of(kind).at(name);
    const slice = sliceNamed(name, session.registry, path);
    return [slice.type, readValues(reader, slice, values, path)] as const;
  });
}
