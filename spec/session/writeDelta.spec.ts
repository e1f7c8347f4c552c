import fc from 'fast-check';
import { Field, Reducer, Session, type SliceOp, SliceOps } from 'toolwright';
import { upsertBy } from 'toolwright/conversations';
import { FakeClock } from 'toolwright/testing';
import type { SessionDelta } from '../../src/interface/RunEntry';
import { applyDelta, writeDelta } from '../../src/session/writeDelta';
import { SessionTransaction, type TransactionBase } from '../../src/session/SessionTransaction';
import { expectEqual } from '../support/expectEqual';

class Item {
  constructor(readonly value: number) {}
}
class Rename {
  constructor(readonly title: string) {}
}
class Plan {
  @Field({ type: String }) readonly title!: string;

  static of(title: string): Plan {
    return Object.assign(new Plan(), { title });
  }

  @Reducer(() => Rename)
  rename({ title }: Rename): SliceOp<Plan> {
    return SliceOps.replace(Plan.of(title));
  }
}
class Named {
  constructor(
    readonly name: string,
    readonly value: number,
  ) {}
}
class Seen {
  constructor(readonly value: number) {}
}

const slices = [
  Item,
  { type: Plan, name: 'plan', initial: () => Plan.of('') },
  Named,
  { type: Seen, policy: 'log' as const },
];

function newSession(): Session {
  const session = new Session({ id: 's', slices });
  session.slice(Named).register(
    Named,
    upsertBy((named) => named.name),
  );
  return session;
}

const begin = (base: TransactionBase): SessionTransaction =>
  new SessionTransaction(base, { readOnly: false, clock: new FakeClock(), ids: () => 'id' });

/** As it comes back from a log. */
const stored = (delta: SessionDelta | undefined): SessionDelta =>
  JSON.parse(JSON.stringify(delta ?? {})) as SessionDelta;

/** What a call does, here or in calls within it. */
interface Step {
  readonly do:
    'append' | 'rename' | 'upsert' | 'see' | 'clear' | 'clearOdd' | 'seed' | 'same' | 'within' | 'withinFails';
  readonly value: number;
  readonly steps: readonly Step[];
}

function act(session: SessionTransaction | Session, { do: what, value }: Step): void {
  const items = session.slice(Item);
  if (what === 'append') session.dispatch(new Item(value));
  else if (what === 'rename') session.dispatch(new Rename(`Plan ${String(value)}`));
  else if (what === 'upsert') session.dispatch(new Named(String(value % 3), value));
  else if (what === 'see') session.dispatch(new Seen(value));
  else if (what === 'clear') items.clear();
  else if (what === 'clearOdd') items.clear((item) => item.value % 2 === 1);
  else if (what === 'seed') items.seed([new Item(value), new Item(value + 1)]);
  else if (what === 'same') items.seed(items.all());
}

function carryOut(base: SessionTransaction, steps: readonly Step[]): void {
  for (const step of steps) {
    if (step.do !== 'within' && step.do !== 'withinFails') act(base, step);
    else {
      const within = begin(base);
      carryOut(within, step.steps);
      if (step.do === 'within') expect(within.commit()).toBe(true);
      else within.close();
    }
  }
}

const acts = ['append', 'append', 'rename', 'upsert', 'see', 'clear', 'clearOdd', 'seed', 'same'] as const;
const simple = fc.record({ do: fc.constantFrom(...acts), value: fc.nat(9), steps: fc.constant<readonly Step[]>([]) });
/** A step, or a call within the call that takes such steps. */
const stepOr = (steps: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 3, arbitrary: simple },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constantFrom('within' as const, 'withinFails' as const),
        value: fc.constant(0),
        steps: fc.array(steps, { maxLength: 4 }),
      }),
    },
  );
const step = stepOr(stepOr(simple));
const turn = fc.oneof(
  fc.record({
    kind: fc.constantFrom('call' as const, 'call' as const, 'failed' as const),
    steps: fc.array(step, { maxLength: 5 }),
  }),
  fc.record({
    kind: fc.constantFrom('host' as const, 'reset' as const, 'snapshot' as const, 'restore' as const),
    steps: fc.array(step, { maxLength: 3 }),
  }),
);

describe('the changes of a session', () => {
  test('the changes of a session, applied in order to its beginning, give its end', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), fc.array(turn, { maxLength: 12 }), (first, turns) => {
        const session = newSession();
        for (const each of first) act(session, each);
        const copy = Session.fromJSON(JSON.parse(JSON.stringify(session)), { slices });
        let snapshot = session.snapshot();
        for (const { kind, steps } of turns) {
          if (kind === 'call' || kind === 'failed') {
            const call = begin(session.base);
            carryOut(call, steps);
            expect(call.prepare()).toBe(true);
            const delta = writeDelta(session, call.changes);
            if (kind === 'call') {
              call.apply();
              applyDelta(copy, stored(delta));
            } else call.close();
          } else {
            const before = new Map(session.base.slices);
            for (const each of steps) act(session, each);
            if (kind === 'reset') session.reset();
            else if (kind === 'snapshot') snapshot = session.snapshot();
            else if (kind === 'restore') session.restore(snapshot);
            applyDelta(copy, stored(writeDelta(session, session.base.slices, before)));
          }
          expectEqual(copy.toJSON(), session.toJSON());
        }
      }),
      { numRuns: 300 },
    );
  });

  test('the changes of a session are what was appended, however the reducer did it, or all values', () => {
    const session = newSession();
    session.slice(Item).seed([new Item(1), new Item(2)]);
    session.dispatch(new Named('a', 1));
    const call = begin(session.base);
    call.dispatch(new Item(3));
    call.dispatch(new Rename('x'));
    // Replaces all values by the ones before and a new one.
    call.dispatch(new Named('b', 2));
    call.dispatch(new Seen(1));
    expect(writeDelta(session, call.changes)).toEqual({
      appended: { Item: [{ value: 3 }], plan: [{ title: 'x' }], Named: [{ name: 'b', value: 2 }] },
    });
    call.apply();
    const next = begin(session.base);
    next.slice(Item).clear((item) => item.value === 1);
    next.dispatch(new Item(4));
    next.dispatch(new Rename('y'));
    next.slice(Named).clear();
    expect(writeDelta(session, next.changes)).toEqual({
      replaced: { Item: [{ value: 2 }, { value: 3 }, { value: 4 }], plan: [{ title: 'y' }], Named: [] },
    });
    next.close();
    const idle = begin(session.base);
    idle.slice(Item).seed(idle.slice(Item).all());
    idle.dispatch(new Seen(2));
    expect(writeDelta(session, idle.changes)).toBeUndefined();
  });

  test('the changes of a session become frozen instances of their classes', () => {
    const session = newSession();
    applyDelta(session, {
      appended: { Item: [{ value: 1 }] },
      replaced: { plan: [{ title: 'x' }], Item: [{ value: 0 }] },
    });
    const plan = session.slice(Plan).latest();
    expect(plan).toBeInstanceOf(Plan);
    expect(Object.isFrozen(plan)).toBe(true);
    // What replaces comes before what is appended.
    expect(session.slice(Item).all()).toEqual([new Item(0), new Item(1)]);
    session.dispatch(new Rename('y'));
    expect(session.slice(Plan).all()).toEqual([Plan.of('y')]);
  });

  test('changes of a slice without a name are refused, and so is a value that JSON cannot hold', () => {
    class Unnamed {
      constructor(readonly value: unknown) {}
    }
    const session = newSession();
    const call = begin(session.base);
    call.dispatch(new Unnamed(1));
    expect(() => writeDelta(session, call.changes)).toThrow(
      expect.objectContaining({ code: 'E805', place: 'slice Unnamed' }) as Error,
    );
    const cleared = begin(session.base);
    cleared.slice(Unnamed).clear();
    expect(writeDelta(session, cleared.changes)).toBeUndefined();
    session.dispatch(new Item(0));
    const wrong = begin(session.base);
    wrong.dispatch(new Item(1));
    wrong.dispatch(new Item(Number.NaN));
    expect(() => writeDelta(session, wrong.changes)).toThrow(
      expect.objectContaining({ code: 'E805', place: 'slices.Item[2].value' }) as Error,
    );
  });

  test('the changes of a session leave out logs, and slices without a name that were emptied', () => {
    class Unnamed {
      constructor(readonly value: number) {}
    }
    const session = newSession();
    session.dispatch(new Unnamed(1));
    const before = new Map(session.base.slices);
    session.dispatch(new Seen(1));
    session.slice(Unnamed).clear();
    expect(writeDelta(session, session.base.slices, before)).toBeUndefined();
    session.dispatch(new Item(1));
    expect(writeDelta(session, session.base.slices, before)).toEqual({ appended: { Item: [{ value: 1 }] } });
  });

  test.each<[SessionDelta, string]>([
    [{ appended: { Itme: [] } }, 'appended.Itme'],
    [{ replaced: { plan: [{ title: 'x' }, { title: 1 }] } }, 'replaced.plan[1].title'],
    [{ replaced: { Item: [{ value: 1 }] }, appended: { plan: [7] } }, 'appended.plan[0]'],
    [{ appended: { Item: { 0: {} } as never } }, 'appended.Item'],
    [{ appended: [] as never }, 'appended'],
  ])('changes that cannot be read change nothing: %j', (delta, place) => {
    const session = newSession();
    session.dispatch(new Item(1));
    const before = session.toJSON();
    expect(() => {
      applyDelta(session, delta);
    }).toThrow(expect.objectContaining({ code: 'E806', place }) as Error);
    expect(session.toJSON()).toEqual(before);
  });

  test('changes of a history that grows stay as small and as quick', () => {
    const session = newSession();
    const bytes: number[] = [];
    const times: number[] = [];
    for (let call = 100; call < 300; call++) {
      const transaction = begin(session.base);
      transaction.dispatch(new Item(call));
      const began = performance.now();
      bytes.push(JSON.stringify(writeDelta(session, transaction.changes)).length);
      times.push(performance.now() - began);
      transaction.apply();
    }
    expect(new Set(bytes)).toEqual(new Set([bytes[0]]));
    const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length / 2] ?? 0;
    // Far from what a whole session would cost; a busy machine is not asked for more.
    expect(median(times.slice(100))).toBeLessThan(5 * median(times.slice(0, 100)) + 0.05);
  });
});
