import type { SessionDelta } from '../interface/RunStore.js';
import type { PersistentList } from './PersistentList.js';
import type { Session } from './Session.js';
import type { SliceKey } from './SliceStore.js';

export function writeDelta(
  session: Session,
  _written: ReadonlyMap<SliceKey, PersistentList<unknown>>,
  changed: ReadonlyMap<SliceKey, PersistentList<unknown>>,
): SessionDelta {
  const names = [...changed.keys()].flatMap((key) => session.registry.ofType(key)?.name ?? []);
  const { slices } = session.toJSON();
  return { replaced: Object.fromEntries(names.map((name) => [name, slices[name] ?? []])) };
}

export function applyDelta(session: Session, delta: SessionDelta): void {
  const json = session.toJSON();
  session.load({ ...json, slices: { ...json.slices, ...delta.replaced } });
}
