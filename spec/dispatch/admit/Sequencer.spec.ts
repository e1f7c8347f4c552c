import fc from 'fast-check';
import { Sequencer } from '../../../src/dispatch/admit/Sequencer';

interface Planned {
  readonly reads: boolean;
  /** Turns of the microtask queue that it takes. */
  readonly takes: number;
  readonly fails: boolean;
}

const plans = fc.array(fc.record({ reads: fc.boolean(), takes: fc.integer({ min: 0, max: 5 }), fails: fc.boolean() }), {
  maxLength: 12,
});

describe('CallOrder', () => {
  test('CallOrder lets readers run together, and nothing beside a writer, in the order of the calls', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (calls: readonly Planned[]) => {
        const order = new Sequencer();
        const running = new Set<number>();
        const begun: number[] = [];
        const ended = new Set<number>();
        const outcomes = calls.map(({ reads, takes, fails }, index) =>
          order.run(reads, async () => {
            const isAlone = !reads || [...running].some((other) => calls[other]?.reads === false);
            if (isAlone) expect(running.size).toBe(0);
            begun.push(index);
            running.add(index);
            for (let turn = 0; turn < takes; turn++) await Promise.resolve();
            running.delete(index);
            ended.add(index);
            if (fails) throw new RangeError(String(index));
            return index;
          }),
        );
        const settled = await Promise.allSettled(outcomes);
        expect(begun).toEqual(calls.map((_call, index) => index));
        expect(ended.size).toBe(calls.length);
        settled.forEach((outcome, index) => {
          expect(outcome.status).toBe(calls[index]?.fails === true ? 'rejected' : 'fulfilled');
        });
      }),
    );
  });

  test('really runs readers together', async () => {
    const order = new Sequencer();
    let release = (): void => undefined;
    const first = order.run(true, () => new Promise<void>((resolve) => (release = resolve)));
    await order.run(true, () => Promise.resolve());
    release();
    await first;
  });
});
