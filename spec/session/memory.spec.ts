import { Session } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { PersistentList } from '../../src/session/PersistentList';
import { SessionTransaction } from '../../src/session/SessionTransaction';
import { collectGarbage } from './collectGarbage';

class Note {
  constructor(readonly text: string) {}
}
class Log {
  constructor(readonly text: string) {}
}
const TIMES = 10_000;
/** What one kept note would cost at least, so that a leak of them stands out from the noise of the test runner. */
const NOTE_BYTES = 1_000;
let serial = 0;
const note = (): Note => new Note(Buffer.alloc(NOTE_BYTES / 2, String(++serial)).toString('hex'));
const begin = (session: Session): SessionTransaction =>
  new SessionTransaction(session.base, { readOnly: false, clock: new FakeClock(), ids: () => 'id' });

/** The heap once nothing more is collected: what specs before this one have left goes in several rounds. */
function settled(): number {
  let used = Infinity;
  for (let round = 0; round < 20; round++) {
    collectGarbage();
    const { heapUsed } = process.memoryUsage();
    if (heapUsed > used - 20_000) return Math.min(heapUsed, used);
    used = heapUsed;
  }
  return used;
}

/** By how much the heap has grown, in bytes, when something was done 10,000 times after a warm-up. */
function growth(act: () => void): number {
  const heap = (times: number): number => {
    for (let count = 0; count < times; count++) act();
    return settled();
  };
  const before = heap(TIMES / 10);
  return heap(TIMES) - before;
}
const ALLOWED = (TIMES * NOTE_BYTES) / 4;

describe('the heap', () => {
  test('notices notes that are kept', () => {
    const kept = new Session();
    expect(growth(() => kept.dispatch(note()))).toBeGreaterThan(ALLOWED);
    expect(kept.slice(Note).latest()).toBeDefined();
  });

  test.each<[string, (session: Session) => void]>([
    [
      'appends that are rolled back',
      (session) => {
        const call = begin(session);
        call.dispatch(note());
        call.close();
      },
    ],
    [
      'appends in savepoints that are rolled back with a call that reads',
      (session) => {
        const call = begin(session);
        const nested = new SessionTransaction(call, { readOnly: false, clock: new FakeClock(), ids: () => 'id' });
        nested.dispatch(note());
        nested.slice(Note).all();
        nested.commit();
        call.close();
      },
    ],
    [
      'appends that are taken back by a restore',
      (session) => {
        const snapshot = session.snapshot();
        session.dispatch(note());
        session.restore(snapshot);
      },
    ],
    [
      'replacements',
      (session) => {
        session.slice(Note).seed(note());
        session.slice(Note).append(note());
        session.slice(Note).seed(session.slice(Note).all().slice(0, 1));
      },
    ],
    [
      'resets',
      (session) => {
        session.dispatch(note());
        session.reset();
      },
    ],
    ['clones', (session) => session.clone().dispatch(note())],
  ])('stays flat under 10,000 %s', (_what, act) => {
    const session = new Session();
    for (let count = 0; count < 100; count++) session.dispatch(note());
    const snapshot = session.snapshot();
    expect(growth(() => act(session))).toBeLessThan(ALLOWED);
    session.restore(snapshot);
    expect(session.slice(Note).all()).toHaveLength(100);
  });
});

describe('the cost of a snapshot', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** How often lists are made or read when it is done to a session with that many values in each of two slices. */
  function steps(size: number, act: (session: Session) => void): Readonly<Record<string, number>> {
    const session = new Session({ slices: [{ type: Log, policy: 'log' }] });
    for (const type of [Note, Log]) session.slice(type).seed(Array.from({ length: size }, () => new type('a')));
    const spies = {
      values: jest.spyOn(PersistentList.prototype, 'values', 'get'),
      append: jest.spyOn(PersistentList.prototype, 'append'),
      anew: jest.spyOn(PersistentList.prototype, 'anew'),
      of: jest.spyOn(PersistentList, 'of'),
    };
    act(session);
    const counts = Object.fromEntries(Object.entries(spies).map(([name, spy]) => [name, spy.mock.calls.length]));
    jest.restoreAllMocks();
    return counts;
  }

  test.each<[string, (session: Session) => void, object]>([
    ['a snapshot', (session) => void session.snapshot({ logs: true }), { values: 0, append: 0, anew: 0, of: 0 }],
    ['a restore', (session) => session.restore(session.snapshot()), { values: 0, append: 0, anew: 1, of: 0 }],
    ['a clone', (session) => void session.clone(), { values: 0, append: 0, anew: 0, of: 0 }],
    ['a rollback', (session) => begin(session).close(), { values: 0, append: 0, anew: 0, of: 0 }],
    [
      'an append that is rolled back',
      (session) => {
        const call = begin(session);
        call.dispatch(new Note('b'));
        call.close();
      },
      { values: 0, append: 1, anew: 0, of: 0 },
    ],
  ])('%s takes the same steps whatever the slices hold', (_what, act, expected) => {
    for (const size of [1, 50_000]) expect(steps(size, act)).toEqual(expected);
  });
});
