import { resolve } from 'node:path';
import { Session } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { PersistentList } from '../../src/session/table/PersistentList';
import { SessionTransaction } from '../../src/session/SessionTransaction';
import { node, Workspace } from '../toolchain/support/Workspace';

class Note {
  constructor(readonly text: string) {}
}
class Log {
  constructor(readonly text: string) {}
}
const begin = (session: Session): SessionTransaction =>
  new SessionTransaction(session.base, { readOnly: false, clock: new FakeClock(), ids: () => 'id' });

const TIMES = 10_000;
/** The minimum size of one kept note, so that a leak of them is visible. */
const NOTE_BYTES = 1_000;
const ALLOWED = (TIMES * NOTE_BYTES) / 4;

const root = resolve(__dirname, '../..');

/** In a process of its own, whose heap holds nothing else: by how many bytes it grows when something is done 10,000 times. */
const program = `
import { Session } from '${root}/src/session/Session.js';
import { SessionTransaction } from '${root}/src/session/SessionTransaction.js';
import { FakeClock } from '${root}/src/testing/index.js';

class Note { constructor(text) { this.text = text; } }
let serial = 0;
const note = () => new Note(Buffer.alloc(${String(NOTE_BYTES / 2)}, String(++serial)).toString('hex'));
const options = { readOnly: false, clock: new FakeClock(), ids: () => 'id' };
const begin = (base) => new SessionTransaction(base, options);

const acts = {
  'dispatches that are kept': (session) => session.dispatch(note()),
  'appends that are rolled back': (session) => {
    const call = begin(session.base);
    call.dispatch(note());
    call.close();
  },
  'appends in savepoints that are rolled back with a call that reads': (session) => {
    const call = begin(session.base);
    const nested = begin(call);
    nested.dispatch(note());
    nested.slice(Note).all();
    nested.commit();
    call.close();
  },
  'appends that are taken back by a restore': (session) => {
    const snapshot = session.snapshot();
    session.dispatch(note());
    session.restore(snapshot);
  },
  'replacements': (session) => {
    session.slice(Note).seed(note());
    session.slice(Note).append(note());
    session.slice(Note).seed(session.slice(Note).all().slice(0, 1));
  },
  'resets': (session) => {
    session.dispatch(note());
    session.reset();
  },
  'clones': (session) => session.clone().dispatch(note()),
};
const heapAfter = (times, act, session) => {
  for (let count = 0; count < times; count++) act(session);
  for (let round = 0; round < 3; round++) global.gc();
  return process.memoryUsage().heapUsed;
};
const results = Object.entries(acts).map(([name, act]) => {
  const session = new Session();
  for (let count = 0; count < 100; count++) session.dispatch(note());
  const snapshot = session.snapshot();
  const before = heapAfter(${String(TIMES / 10)}, act, session);
  const growth = heapAfter(${String(TIMES)}, act, session) - before;
  session.restore(snapshot);
  return [name, { growth, restored: session.slice(Note).all().length }];
});
process.stdout.write(JSON.stringify(Object.fromEntries(results)));
`;

describe('the heap', () => {
  jest.setTimeout(120_000);
  const workspace = new Workspace();
  let measured: Readonly<Record<string, { readonly growth: number; readonly restored: number }>>;
  beforeAll(async () => {
    const folder = workspace.project('esm', { 'main.ts': program });
    const bundler = resolve(root, 'spec/support/bundleSources.mjs');
    expect(await node(folder, [bundler, 'main.ts', folder, resolve(root, 'dist')])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const { code, stdout, stderr } = await node(folder, ['--expose-gc', 'main.mjs']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    measured = JSON.parse(stdout) as typeof measured;
  });
  afterAll(() => {
    workspace.close();
  });

  test('the heap grows with notes that are kept', () => {
    expect(measured['dispatches that are kept']?.growth).toBeGreaterThan(ALLOWED);
  });

  test.each([
    'appends that are rolled back',
    'appends in savepoints that are rolled back with a call that reads',
    'appends that are taken back by a restore',
    'replacements',
    'resets',
    'clones',
  ])('the heap stays flat under 10,000 %s', (what) => {
    expect(measured[what]?.growth).toBeLessThan(ALLOWED);
    expect(measured[what]?.restored).toBe(100);
  });
});

describe('the cost of a snapshot', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** The number of lists that are created or read when it is done to a session with that many values in each of two slices. */
  function steps(size: number, act: (session: Session) => void): Readonly<Record<string, number>> {
    const session = new Session({ slices: [{ type: Log, policy: 'log' }] });
    for (const type of [Note, Log]) session.slice(type).seed(Array.from({ length: size }, () => new type('a')));
    const spies = {
      values: jest.spyOn(PersistentList.prototype, 'values', 'get'),
      append: jest.spyOn(PersistentList.prototype, 'append'),
      anew: jest.spyOn(PersistentList.prototype, 'copyAsNew'),
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
