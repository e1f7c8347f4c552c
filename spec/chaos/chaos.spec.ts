import * as fc from 'fast-check';
import { Deadline, type ToolCall } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { chaosDesk, Ledger, POINTS, type ChaosDesk } from './chaosDesk.js';
import { FaultPlan, FAULTS, type Fault } from './faultsOfPorts.js';

const RUNS = Number(process.env['CHAOS_RUNS'] ?? 400);
const POINTS_A_RUN = 10;
const DEADLINE_MS = 4_000;
/** Interceptors, commit, rollback, restore and closing have five seconds each after the deadline. */
const GRACE_MS = 30_000;

const point = fc.record({
  point: fc.constantFrom(...POINTS),
  fault: fc.constantFrom(...(Object.keys(FAULTS) as Fault[])),
  from: fc.nat({ max: 4 }),
});
const plans = fc.uniqueArray(point, { maxLength: POINTS_A_RUN, selector: (each) => each.point });

const book = (id: string): ToolCall => ({ id, name: 'book', arguments: { seat: `Seat ${id}` } });

let broken = 0;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => {
  process.stdout.write(`chaos: ${String(RUNS)} runs, ${String(broken)} broken\n`);
});

/** The model books twice, looks, books again, and answers. */
function script(plan: FaultPlan): ScriptedModel {
  const model = new ScriptedModel([
    { toolCalls: [book('a'), book('b'), { id: 'c', name: 'look', arguments: {} }] },
    { toolCalls: [book('d')] },
    { text: 'Done.' },
    { text: 'Done.' },
    { text: 'Done.' },
    { text: 'Done.' },
  ]);
  return Object.assign(model, { complete: plan.at('complete', model.complete.bind(model)) });
}

/** What holds after every run, whatever its ports did. */
function expectNoTrace({ session, rows, shelf, store, begun, events }: ChaosDesk, isBusSound: boolean): void {
  const kept = session.slice(Ledger).latest()?.ids ?? [];
  for (const id of ['a', 'b', 'd']) {
    const own = events.filter((event) => event.callId === id);
    if (isBusSound && begun.has(id)) expect({ id, events: own.length }).toEqual({ id, events: 1 });
    const [event] = own;
    const places = [
      kept.filter((each) => each === id).length,
      rows.has(id) ? 1 : 0,
      shelf.ids.filter((each) => each === id).length,
      store.ids.has(id) ? 1 : 0,
    ];
    const seen = { id, kind: event?.kind, places };
    if (event === undefined ? isBusSound : event.kind !== 'succeeded' && event.rolledBack !== false)
      expect(seen).toEqual({ ...seen, places: [0, 0, 0, 0] });
    else if (event?.kind === 'succeeded') expect(seen).toEqual({ ...seen, places: [1, 1, 1, 1] });
  }
}

test(
  'TRACE-00 a run with ten faulty ports ends in time, leaves no trace of what failed, and accounts for each call once',
  async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (points) => {
        const plan = new FaultPlan(points);
        const desk = await chaosDesk(plan);
        const startedAt = Date.now();
        let endedAt: number | undefined;
        const running = desk.app
          .evaluate(desk.prompt, {
            adapter: script(plan),
            session: desk.session,
            deadline: Deadline.in(DEADLINE_MS),
            maxTurns: 6,
            onEvent: plan.at('onEvent', () => undefined),
          })
          .then(
            () => undefined,
            () => undefined,
          )
          .then(() => {
            endedAt = Date.now();
          });
        await jest.advanceTimersByTimeAsync(DEADLINE_MS + GRACE_MS);
        try {
          expect(endedAt ?? Infinity).toBeLessThanOrEqual(startedAt + DEADLINE_MS + GRACE_MS);
          await running;
          const asked = points.map((each) => each.point);
          expectNoTrace(desk, !asked.includes('bus.publish') && !asked.includes('bus.reaches'));
        } catch (error) {
          broken++;
          throw error;
        }
      }),
      { numRuns: RUNS },
    );
  },
  30 * 60_000,
);

test('without faults, everything is booked', async () => {
  const plan = new FaultPlan([]);
  const desk = await chaosDesk(plan);
  const response = await desk.app.evaluate(desk.prompt, { adapter: script(plan), session: desk.session });
  expect(response.text).toBe('Done.');
  expect(desk.session.slice(Ledger).latest()?.ids).toEqual(['a', 'b', 'd']);
  expectNoTrace(desk, true);
  expect(desk.events.map(({ kind }) => kind)).toEqual(Array.from({ length: 7 }, () => 'succeeded'));
});
