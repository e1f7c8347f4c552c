import { ReadOnlyViolationError, Reducer, Session, type SliceOp, SliceOps } from 'toolwright';
import type { SessionPort } from 'toolwright/conversations';
import { FakeClock } from 'toolwright/testing';
import { SessionTransaction } from '../../src/session/SessionTransaction';

// The faults of tool calls that a session has to handle, without a tool: the steps of handlers are applied to transactions.

class Added {
  constructor(readonly by: number) {}
}
class Counter {
  constructor(readonly n = 0) {}
  isOdd(): boolean {
    return this.n % 2 === 1;
  }
  @Reducer(() => Added)
  add({ by }: Added): SliceOp<Counter> {
    return SliceOps.replace(new Counter(this.n + by));
  }
}
const counting = (): Session => new Session({ slices: [{ type: Counter, initial: () => new Counter() }] });
const begin = (session: Session, readOnly = false): SessionTransaction =>
  new SessionTransaction(session.base, { readOnly, clock: new FakeClock(), ids: () => 'id' });
const n = (port: SessionPort): number | undefined => port.slice(Counter).latest()?.n;

describe('HAND-21 class instances in state', () => {
  test('HAND-21 class instances in state keep class, methods and identity after a rollback', () => {
    const session = counting();
    session.dispatch(new Added(1));
    const before = session.slice(Counter).latest();
    const call = begin(session);
    call.dispatch(new Added(1));
    expect(call.slice(Counter).latest()?.isOdd()).toBe(false);
    call.close();
    expect(session.slice(Counter).latest()).toBe(before);
    expect(session.slice(Counter).latest()).toBeInstanceOf(Counter);
    expect(session.slice(Counter).latest()?.isOdd()).toBe(true);
  });

  test.each<[string, () => unknown]>([
    ['Date', () => new Date(0)],
    ['Map', () => new Map()],
  ])('class instances that hold a %s are refused: a rollback could not undo their changes', (_what, make) => {
    const session = counting();
    const call = begin(session);
    const odd = new Counter(make() as number);
    expect(() => call.slice(Counter).seed(odd)).toThrow(expect.objectContaining({ code: 'E801' }) as Error);
    call.close();
    expect(session.slice(Counter).all()).toEqual([]);
  });
});

test('CONC-01 a call that fails takes nothing with it of one that commits meanwhile', () => {
  const session = counting();
  const [failing, committing] = [begin(session), begin(session)];
  failing.dispatch(new Added(10));
  committing.dispatch(new Added(1));
  expect(committing.commit()).toBe(true);
  failing.close();
  expect(n(session)).toBe(1);
});

test.each<[string, (call: SessionTransaction) => void]>([
  ['by its reducer', (call) => call.dispatch(new Added(1))],
  ['and seeds it', (call) => call.slice(Counter).seed(new Counter((n(call) ?? 0) + 1))],
])('CONC-02 the second call that reads one counter %s conflicts: no update is lost', (_how, add) => {
  const session = counting();
  const [first, second] = [begin(session), begin(session)];
  add(first);
  add(second);
  expect(first.commit()).toBe(true);
  expect(second.commit()).toBe(false);
  expect(n(session)).toBe(1);
  const again = begin(session);
  add(again);
  expect(again.commit()).toBe(true);
  expect(n(session)).toBe(2);
});

describe('CONC-08 a read-only call beside a writer', () => {
  test('CONC-08 a read-only call beside a writer saw one state, or knows that it did not', () => {
    const session = counting();
    session.dispatch(new Added(1));
    const [reader, writer] = [begin(session, true), begin(session)];
    expect(n(reader)).toBe(1);
    writer.dispatch(new Added(1));
    expect(n(reader)).toBe(1);
    expect(reader.conflicts()).toBe(false);
    writer.commit();
    expect(reader.conflicts()).toBe(true);
  });

  test('a read-only call cannot write, whatever it tries', () => {
    const session = counting();
    const reader = begin(session, true);
    expect(() => reader.dispatch(new Added(1))).toThrow(ReadOnlyViolationError);
    expect(() => reader.slice(Counter).seed(new Counter(5))).toThrow(ReadOnlyViolationError);
    expect(() => reader.assertSound()).toThrow(ReadOnlyViolationError);
    expect(session.slice(Counter).all()).toEqual([]);
  });
});
