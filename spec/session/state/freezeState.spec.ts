import { Reducer, SliceOps, Session, SessionError, type SliceOp } from 'toolwright';

class Booked {
  constructor(readonly seat: unknown) {}
}
const refusal = (code: string): Error => expect.objectContaining({ code }) as Error;

describe('dispatched values', () => {
  test('a dispatched value is frozen at every depth', () => {
    const seat = { row: 12, tags: [{ window: true }] };
    const event = new Booked(seat);
    new Session().dispatch(event);
    expect([event, seat, seat.tags, seat.tags[0]].map((part) => Object.isFrozen(part))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(() => {
      seat.tags.push({ window: false });
    }).toThrow(TypeError);
  });

  test('a dispatched value is frozen below what is frozen already', () => {
    const inner = { row: 12 };
    new Session().dispatch(new Booked(Object.freeze({ inner })));
    expect(Object.isFrozen(inner)).toBe(true);
  });

  test('a part that a slice has frozen is not visited again within a later value', () => {
    const seats = Array.from({ length: 1_000 }, (_, row) => ({ row }));
    const session = new Session();
    session.dispatch(new Booked(seats));
    const freeze = jest.spyOn(Object, 'freeze');
    session.dispatch(new Booked([...seats, { row: 1_000 }]));
    const { length } = freeze.mock.calls;
    jest.restoreAllMocks();
    expect(length).toBeLessThan(10);
  });

  test('dispatched values may hold circles', () => {
    const seat: Record<string, unknown> = {};
    seat['self'] = seat;
    new Session().dispatch(new Booked(seat));
    expect(Object.isFrozen(seat)).toBe(true);
  });

  test('dispatched values may be nested as deeply as memory allows', () => {
    let seat: object = { row: 12 };
    const innermost = seat;
    for (let level = 0; level < 100_000; level++) seat = [seat];
    new Session().dispatch(new Booked(seat));
    expect(Object.isFrozen(innermost)).toBe(true);
    const event = new Booked([[new Map()]]);
    expect(() => new Session().dispatch(event)).toThrow(refusal('E801'));
  });

  test('a dispatched value is frozen under symbols, too', () => {
    const key = Symbol('hidden');
    const hidden = { row: 12 };
    new Session().dispatch(new Booked({ [key]: hidden }));
    expect(Object.isFrozen(hidden)).toBe(true);
  });

  test('a getter is not run, and nothing of what was refused is frozen', () => {
    let read = 0;
    const rows = { first: 12 };
    const seat = Object.defineProperty({ rows }, 'lazy', { enumerable: true, get: () => ++read });
    expect(() => new Session().dispatch(new Booked(seat))).toThrow(/Booked\.seat\.lazy: a getter or setter/);
    expect(read).toBe(0);
    expect(Object.isFrozen(rows)).toBe(false);
  });

  class Secretive {
    #count = 0;
    next(): number {
      return ++this.#count;
    }
  }
  class Heir extends Secretive {}
  const changeable: [string, () => unknown][] = [
    ['Map', () => new Map()],
    ['Set', () => new Set()],
    ['Date', () => new Date(0)],
    ['Uint8Array', () => new Uint8Array(1)],
    ['Buffer', () => Buffer.from('a')],
    ['ArrayBuffer', () => new ArrayBuffer(1)],
    ['WeakMap', () => new WeakMap()],
    ['list iterator', () => [1].values()],
    ['map iterator', () => new Map([[1, 2]]).entries()],
    ['text iterator', () => 'ab'[Symbol.iterator]()],
    ['iterator of matches', () => 'ab'.matchAll(/a/g)],
    ['generator', () => (function* () {})()],
    ['#private state', () => new Secretive()],
    ['inherited #private state', () => new Heir()],
  ];

  test.each(changeable)('a dispatched value is refused with E801 when it holds a %s, at any depth', (_what, make) => {
    for (const seat of [make(), { deep: [make()] }, Object.freeze({ deep: make() })]) {
      const session = new Session();
      const dispatch = (): void => session.dispatch(new Booked(seat));
      expect(dispatch).toThrow(SessionError);
      expect(dispatch).toThrow(refusal('E801'));
      expect(dispatch).toThrow(/Booked/);
      expect(session.slice(Booked).all()).toEqual([]);
    }
  });

  test('a dispatched value that was refused is refused again', () => {
    const session = new Session();
    const event = new Booked({ deep: new Map() });
    expect(() => session.dispatch(event)).toThrow(refusal('E801'));
    expect(() => session.dispatch(event)).toThrow(refusal('E801'));
  });

  test.each(changeable)('a dispatched value may hold a %s when only a LOG slice takes it', (_what, make) => {
    const session = new Session();
    session.slice(Booked).register(Booked, (_view, event) => ({ kind: 'append', value: event }), { policy: 'log' });
    session.dispatch(new Booked(make()));
    expect(session.slice(Booked).all()).toHaveLength(1);
  });

  test('a STATE slice refuses a value that a LOG slice has taken', () => {
    const session = new Session({ slices: [{ type: Booked, policy: 'log' }] });
    const seat = { deep: [new Map()] };
    session.dispatch(new Booked(seat));
    class Seat {
      constructor(readonly held: unknown) {}
    }
    expect(() => session.slice(Seat).seed(new Seat(seat))).toThrow(refusal('E801'));
    expect(session.slice(Seat).all()).toEqual([]);
  });

  test('an event is refused when one of its slices is rolled back, although another is a LOG slice', () => {
    class Log {
      readonly line = 'booked';
    }
    class Seats {
      readonly count = 1;
    }
    const session = new Session();
    session.slice(Log).register(Booked, () => SliceOps.append(new Log()), { policy: 'log' });
    session.dispatch(new Booked(new Map()));
    session.slice(Seats).register(Booked, () => SliceOps.append(new Seats()));
    expect(() => session.dispatch(new Booked(new Map()))).toThrow(refusal('E801'));
    expect([session.slice(Log).all(), session.slice(Seats).all()]).toEqual([[new Log()], []]);
  });

  test('a dispatched value may hold objects without a prototype', () => {
    const seat = Object.assign(Object.create(null) as object, { row: [12] });
    const session = new Session();
    session.dispatch(new Booked(seat));
    expect(session.slice(Booked).latest()?.seat).toBe(seat);
    expect([seat, seat.row].map((part) => Object.isFrozen(part))).toEqual([true, true]);
  });

  test('a dispatched value with plain private methods only is accepted', () => {
    class Polite {
      readonly n = 1;
      #twice(): number {
        return this.n * 2;
      }
      get double(): number {
        return this.#twice();
      }
    }
    const session = new Session();
    session.dispatch(new Booked(new Polite()));
    expect((session.slice(Booked).latest()?.seat as Polite).double).toBe(2);
  });
});

describe('a refusal says what it is about', () => {
  class Secretive {
    #count = 0;
    next(): number {
      return ++this.#count;
    }
  }
  const map = new Map();
  const labelled = Object.assign(() => map, { map });
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new RangeError('hostile');
      },
    },
  );
  const circle: Record<string, unknown> = { deep: {}, map };
  Object.assign(circle['deep'] as object, { circle, map });

  test.each<[what: string, seat: () => unknown, text: string]>([
    ['a function', () => () => 1, ': a function'],
    ['a Proxy', () => hostile, ': a Proxy'],
    ['a Date', () => [new Date(0)], '[0]: a Date'],
    ['#private state', () => ({ clerk: new Secretive() }), '.clerk: a Secretive with #private state'],
    ['a key with a blank', () => ({ 'row a': new Map() }), '."row a": a Map'],
    ['a symbol', () => ({ [Symbol('hidden')]: [new Map()] }), '[Symbol(hidden)][0]: a Map'],
    ['the shorter of two ways', () => circle, '.map: a Map'],
    ['a way through data, not through a function', () => [labelled, { deep: [map] }], '[1].deep[0]: a Map'],
    ['what is beside a Proxy, without running its code', () => [hostile, [map]], '[1][0]: a Map'],
  ])('a refused event names its value: %s', (_what, seat, text) => {
    expect(() => new Session().dispatch(new Booked(seat()))).toThrow(
      `E801 Booked.seat${text} can be changed although it is frozen, so it cannot be rolled back`,
    );
  });
});

describe('the values of an installed slice', () => {
  class Add {
    constructor(readonly step: string) {}
  }
  class Plan {
    constructor(readonly steps: string[] = []) {}
    @Reducer(() => Add)
    add({ step }: Add): SliceOp<Plan> {
      return SliceOps.replace(new Plan([...this.steps, step]));
    }
  }
  const installed = (): Session => {
    const session = new Session();
    session.install(Plan, { initial: () => new Plan() });
    return session;
  };

  test.each<[string, (session: Session) => void]>([
    ['a reducer gives', (session) => session.dispatch(new Add('a'))],
    ['are seeded', (session) => session.slice(Plan).seed(new Plan(['a']))],
    ['are dispatched', (session) => session.dispatch(new Plan(['a']))],
    ['are appended', (session) => session.slice(Plan).append(new Plan(['a']))],
  ])('values that %s are frozen deeply', (_how, put) => {
    const session = installed();
    put(session);
    const plan = session.slice(Plan).latest();
    expect(plan?.steps).toEqual(['a']);
    expect(() => plan?.steps.push('b')).toThrow(TypeError);
    expect(Object.isFrozen(plan)).toBe(true);
  });

  test('values that are seeded with changeable state are refused with E801', () => {
    const session = installed();
    expect(() => session.slice(Plan).seed(new Plan([new Date(0) as unknown as string]))).toThrow(refusal('E801'));
    expect(session.slice(Plan).all()).toEqual([]);
  });

  test('changeable state that a reducer returns is refused, logged, and not kept', () => {
    const errors: unknown[] = [];
    const session = new Session({
      logger: { debug() {}, info() {}, warn() {}, error: (_message, fields) => errors.push(fields?.['error']) },
    });
    session.slice(Plan).register(Add, () => SliceOps.replace(new Plan([new Map() as unknown as string])));
    session.dispatch(new Add('a'));
    expect(session.slice(Plan).all()).toEqual([]);
    expect(errors).toEqual([refusal('E801')]);
  });

  test('values of a slice that is not installed are frozen by a seed as well', () => {
    const session = new Session();
    const plan = new Plan(['a']);
    session.slice(Plan).seed(plan);
    expect(() => plan.steps.push('b')).toThrow(TypeError);
    expect(session.slice(Plan).latest()?.steps).toEqual(['a']);
  });
});
