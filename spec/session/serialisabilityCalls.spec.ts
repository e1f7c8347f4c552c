import fc from 'fast-check';
import { Session } from 'toolwright';
import { A, answerOf, B, calls, desk } from './serialisabilityCalls';
import { EMPTY, runInOrder, type Answer, type Call, type State } from './serialisabilityModel';

// With the runs of serialisability.spec.ts these are 6,000.

const stateOf = (session: Session): State => ({
  A: session
    .slice(A)
    .all()
    .map(({ value }) => value),
  B: session
    .slice(B)
    .all()
    .map(({ value }) => value),
});

/** The number of times each outcome occurred: a property that never reaches one does not test it. */
class Met {
  readonly #counts = new Map<string, number>();

  note(answers: readonly Answer[]): void {
    for (const { kind } of answers) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  atLeast(least: number, ...kinds: readonly string[]): void {
    for (const kind of kinds)
      expect({ kind, met: (this.#counts.get(kind) ?? 0) >= least }).toEqual({ kind, met: true });
  }
}

function filled(programs: Map<string, Call>, all: readonly Call[]): void {
  for (const call of all) {
    programs.set(call.id, call);
    filled(
      programs,
      call.steps.flatMap((step) => (step.do === 'call' ? [step.call] : [])),
    );
  }
}

/** Every order of all calls that keeps the order within each request. */
function* merged<T>(one: readonly T[], other: readonly T[]): Generator<readonly T[], void> {
  const [first, ...rest] = one;
  const [second, ...others] = other;
  if (first === undefined || second === undefined) {
    yield [...one, ...other];
    return;
  }
  for (const tail of merged(rest, other)) yield [first, ...tail];
  for (const tail of merged(one, others)) yield [second, ...tail];
}

describe('random calls that read, write and nest, fail and time out', () => {
  const programs = new Map<string, Call>();
  const turn = async ({ app, rendered }: Awaited<ReturnType<typeof desk>>, session: Session, of: readonly Call[]) =>
    (
      await app.callTools(
        rendered,
        of.map(({ id, tool: name }) => ({ id, name, arguments: {} })),
        { session },
      )
    ).map(answerOf);

  test('CONC-03 random calls of one turn have the effects and the answers of running in call order', async () => {
    const own = await desk(programs);
    const met = new Met();
    const property = fc.asyncProperty(calls(5, 'c'), async (drawn) => {
      filled(programs, drawn);
      const session = new Session();
      const answers = await turn(own, session, drawn);
      const expected = runInOrder(drawn, EMPTY);
      expect(answers).toEqual(expected.answers);
      expect(stateOf(session)).toEqual(expected.state);
      met.note(answers);
    });
    await fc.assert(property, { numRuns: 1_500 });
    met.atLeast(200, 'succeeded', 'failed', 'timed_out');
  }, 60_000);

  test('CONC-03 random calls of two requests on one session have those of some order that keeps both call orders', async () => {
    const own = await desk(programs);
    const met = new Met();
    const property = fc.asyncProperty(calls(3, 'c'), calls(3, 'd'), async (one, other) => {
      filled(programs, [...one, ...other]);
      const session = new Session();
      const both = await Promise.all([turn(own, session, one), turn(own, session, other)]);
      const answers = new Map([...one, ...other].map(({ id }, index) => [id, both.flat()[index]] as const));
      met.note(both.flat());
      // A conflicting call did nothing and returned nothing.
      const counts = (call: Call): boolean => answers.get(call.id)?.kind !== 'conflicted';
      const state = JSON.stringify(stateOf(session));
      const fits = (order: readonly Call[]): boolean => {
        const expected = runInOrder(order, EMPTY);
        const told = order.map(({ id }) => answers.get(id));
        return JSON.stringify([expected.state, expected.answers]) === JSON.stringify([JSON.parse(state), told]);
      };
      const some = [...merged(one.filter(counts), other.filter(counts))].some(fits);
      expect({ answers, state, serialisable: some }).toEqual({ answers, state, serialisable: true });
    });
    await fc.assert(property, { numRuns: 1_500 });
    met.atLeast(20, 'succeeded', 'failed', 'timed_out', 'conflicted');
  }, 60_000);
});
