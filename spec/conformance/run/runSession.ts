import type { Constructor, Session } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import type { SessionSnapshot } from '../../../src/session/SessionSnapshot';
import { sessionOf } from '../declare/sessionOf';
import { TypeCatalogue } from '../declare/TypeCatalogue';
import { unknownWord } from '../ConformanceFault';
import type { Outcome, SessionInput, SessionOp } from '../format';
import { errorOutcome } from './errorOutcome';

interface Target {
  readonly session: Session;
  readonly types: TypeCatalogue;
  /** By their names in the case. */
  readonly snapshots: Map<unknown, SessionSnapshot>;
}

type Operation = (target: Target, op: SessionOp) => Outcome;

const operations: Readonly<Record<string, Operation>> = {
  dispatch: ({ session, types }, { event }) => {
    session.dispatch(types.value(event) as object);
    return { ok: true };
  },
  append: ({ session, types }, { slice, value }) => {
    session.slice(named(types, slice)).append(types.instance(String(slice), value));
    return { ok: true };
  },
  all: ({ session, types }, { slice }) => ({ value: types.data(session.slice(named(types, slice)).all()) }),
  latest: ({ session, types }, { slice }) => ({ value: types.data(session.slice(named(types, slice)).latest()) }),
  where: ({ session, types }, op) => ({
    value: types.data(session.slice(named(types, op.slice)).where(predicateOf(op))),
  }),
  seed: ({ session, types }, { slice, values = [] }) => {
    session.slice(named(types, slice)).seed(values.map((value) => types.instance(String(slice), value)));
    return { ok: true };
  },
  clear: ({ session, types }, op) => {
    const isLimited = op.where !== undefined || op.field !== undefined;
    session.slice(named(types, op.slice)).clear(isLimited ? predicateOf(op) : undefined);
    return { ok: true };
  },
  snapshot: ({ session, snapshots }, { as, include_all }) => {
    snapshots.set(as, session.snapshot({ logs: include_all === true }));
    return { ok: true };
  },
  restore: ({ session, snapshots }, { from, preserve_logs }) => {
    const snapshot = snapshots.get(from);
    if (snapshot === undefined) throw unknownWord('snapshot', from);
    session.restore(snapshot, { preserveLogs: preserve_logs !== false });
    return { ok: true };
  },
  reset: ({ session }) => {
    session.reset();
    return { ok: true };
  },
};

/** Does the operations of a case to a session, one after the other. */
export async function runSession({ types: specs, session = {}, ops }: SessionInput): Promise<Outcome> {
  const types = new TypeCatalogue(specs);
  const target = { types, session: sessionOf(session, types, { clock: new FakeClock() }), snapshots: new Map() };
  return { ops: ops.map((op) => operate(target, op)) };
}

function operate(target: Target, op: SessionOp): Outcome {
  const operation = Object.hasOwn(operations, op.op) ? operations[op.op] : undefined;
  if (operation === undefined) throw unknownWord('op', op.op);
  try {
    return operation(target, op);
  } catch (error) {
    return { error: errorOutcome(error) };
  }
}

function named(types: TypeCatalogue, slice: string | undefined): Constructor {
  return types.classOf(String(slice));
}

/** The values whose field equals what the operation says, in either of the two places where it says so. */
function predicateOf({ where, field, equals }: SessionOp): (value: object) => boolean {
  const wanted = where ?? { field: String(field), equals };
  return (value) => (value as Readonly<Record<string, unknown>>)[wanted.field] === wanted.equals;
}
