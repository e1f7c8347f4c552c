import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { checkInTime } from '../../../src/schema/pattern/checkInTime';

/** Holds the thread without the processor, as other processes do on a busy machine. */
const wait = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('a check that is ended after its time', () => {
  test('a check that is ended after its time is begun again where the processor did something else in that time', () => {
    let attempts = 0;
    const check = (): string => {
      if (++attempts < 3) wait(5_000);
      return 'checked';
    };
    expect(checkInTime(check)).toBe('checked');
    expect(attempts).toBe(3);
  });

  test('a check that is ended after its time is given up after three attempts', () => {
    let attempts = 0;
    const check = (): void => {
      attempts++;
      wait(5_000);
    };
    expect(checkInTime(check)).toBeUndefined();
    expect(attempts).toBe(3);
  });

  describe.each([
    ['this thread', 'threadCpuUsage', [1, 2, 3]],
    // Another thread may have spent it all.
    ['the process', 'cpuUsage', [3, 3, 3]],
  ] as const)('by the processor time of %s', (_of, known, [nearlyAll, half, little]) => {
    const clock = process as unknown as Record<string, unknown>;
    const { threadCpuUsage, cpuUsage } = clock;
    afterEach(() => Object.assign(clock, { threadCpuUsage, cpuUsage }));

    test.each([
      ['nearly all of the time', 39_500, nearlyAll],
      ['half of it', 20_001, half],
      ['a small part', 5_000, little],
    ])('a check that has spent %s is begun again for the rest', (_what, micros, times) => {
      const usage = (): object => ({ user: micros - 1_000, system: 1_000 });
      Object.assign(clock, { threadCpuUsage: undefined, [known]: usage });
      let attempts = 0;
      const check = (): void => {
        attempts++;
        wait(5_000);
      };
      expect(checkInTime(check)).toBeUndefined();
      expect(attempts).toBe(times);
    });
  });

  test('a check that is ended after its time is begun again where another thread had the processor', async () => {
    const busy = new Worker('for (;;);', { eval: true });
    await once(busy, 'online');
    let attempts = 0;
    const check = (): string => {
      if (++attempts < 2) wait(5_000);
      return 'checked';
    };
    const found = checkInTime(check);
    await busy.terminate();
    expect(found).toBe('checked');
  });

  test('a check that is ended after its time does not begin where no time is left', () => {
    let attempts = 0;
    expect(checkInTime(() => attempts++, 39.5)).toBeUndefined();
    expect(attempts).toBe(0);
  });
});
