import fc from 'fast-check';
import { Session } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { SessionTransaction, type TransactionBase } from '../../src/session/SessionTransaction';
import { onModel, type Key, type Model, type Step } from './serialisabilityOverlayModel';

// Calls that run at the same time have the effects and answers of some order of those that committed, namely the order of
// their commits. The model is two plain arrays, on which the committed calls are done one after the other.

class A {
  constructor(readonly value: number) {}
}
class B {
  constructor(readonly value: number) {}
}
/** Its reducer reads the slice that it writes. */
class AddToA {
  constructor(readonly by: number) {}
}
const types: Readonly<Record<Key, new (value: number) => A | B>> = { A, B };
const keys = fc.constantFrom<Key>('A', 'B');
const plain: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('append', 'append', 'seed'), to: keys, value: fc.nat(9) }),
  fc.record({ do: fc.constantFrom('read', 'clear', 'clearOdd', 'double'), to: keys }),
  fc.record({ do: fc.constant('addToA' as const), value: fc.nat(9) }),
);
const savepoint: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('savepoint' as const),
  keep: fc.boolean(),
  steps: fc.array(plain, { maxLength: 3 }),
});
const program = fc.array(fc.oneof({ arbitrary: plain, weight: 3 }, { arbitrary: savepoint, weight: 1 }), {
  minLength: 1,
  maxLength: 4,
});

const begin = (base: TransactionBase): SessionTransaction =>
  new SessionTransaction(base, { readOnly: false, clock: new FakeClock(), ids: () => 'id' });

/** The same step on a transaction; yields between the steps of a savepoint. */
function* onTransaction(call: SessionTransaction, step: Step, read: number[][]): Generator<undefined, void> {
  if (step.do === 'savepoint') {
    const nested = begin(call);
    for (const each of step.steps) {
      yield* onTransaction(nested, each, read);
      yield undefined;
    }
    if (!step.keep) nested.close();
    // What a savepoint has read its parent has read, so both meet the conflict.
    else if (!nested.commit()) expect(call.conflicts()).toBe(true);
    return;
  }
  if (step.do === 'addToA') {
    call.dispatch(new AddToA(step.value));
    return;
  }
  const type = types[step.to];
  const slice = call.slice(type);
  if (step.do === 'append') slice.append(new type(step.value));
  else if (step.do === 'seed') slice.seed(new type(step.value));
  else if (step.do === 'clear') slice.clear();
  else if (step.do === 'clearOdd') slice.clear(({ value }) => value % 2 === 1);
  else if (step.do === 'double') slice.seed(slice.all().map(({ value }) => new type(value * 2)));
  else read.push(slice.all().map(({ value }) => value));
}

test('CONC-03 calls that run at the same time have the effects and answers of the order of their commits', () => {
  let committed = 0;
  let conflicted = 0;
  fc.assert(
    fc.property(
      fc.array(fc.record({ steps: program, fails: fc.boolean() }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(3), { maxLength: 60 }),
      (programs, schedule) => {
        const session = new Session();
        session.slice(A).register(AddToA, (view, { by }) => ({
          kind: 'append',
          value: new A((view.latest()?.value ?? 0) + by),
        }));
        const order: number[] = [];
        const reads: number[][][] = programs.map(() => []);
        const running = programs.map(function* ({ steps, fails }, index) {
          const call = begin(session.base);
          for (const step of steps) {
            yield* onTransaction(call, step, reads[index]!);
            yield undefined;
          }
          if (fails) call.close();
          else if (call.commit()) order.push(index);
          else conflicted++;
        });
        for (const turn of [...schedule, ...Array.from({ length: 100 }, (_, index) => index)])
          running[turn % running.length]!.next();
        committed += order.length;

        let model: Model = { A: [], B: [] };
        for (const index of order) {
          const read: number[][] = [];
          for (const step of programs[index]!.steps) model = onModel(model, step, read);
          expect(reads[index]).toEqual(read);
        }
        expect(session.slice(A).all()).toEqual(model.A.map((value) => ({ value })));
        expect(session.slice(B).all()).toEqual(model.B.map((value) => ({ value })));
      },
    ),
    { numRuns: 3_000 },
  );
  // Both ends must have been met often, or the property says little.
  expect(committed).toBeGreaterThan(1_000);
  expect(conflicted).toBeGreaterThan(300);
});
