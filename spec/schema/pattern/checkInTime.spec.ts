import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Transform } from 'class-transformer';
import { defineTool, Param } from 'toolwright';
import { z } from 'zod';
import { deskOf } from '../../dispatch/desk';
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

describe('a runtime that cannot limit the time of a check', () => {
  const clock = process as unknown as Record<string, unknown>;
  const { threadCpuUsage } = clock;
  const refused = new Error('The method is not implemented');
  const reason =
    'E418: expected a runtime that can end a check after 40 ms, got: The method is not implemented\n  fix: ';
  beforeEach(() => {
    clock['threadCpuUsage'] = () => {
      throw refused;
    };
  });
  afterEach(() => {
    clock['threadCpuUsage'] = threadCpuUsage;
  });

  test('E418 says which function the runtime lacks, before the check begins', () => {
    let checks = 0;
    let thrown: unknown;
    try {
      checkInTime(() => checks++);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'E418', cause: refused });
    expect((thrown as Error).message.startsWith(reason)).toBe(true);
    expect(checks).toBe(0);
  });

  test('calls whose arguments need a time limit are rejected with E418, and others run', async () => {
    class TrimmedParams {
      @Param('A text')
      @Transform(({ value }) => String(value).trim())
      text!: string;
    }
    class PlainParams {
      @Param('A number') count!: number;
    }
    const refined = z.object({ text: z.string().refine((text) => text !== '') });
    const handler = (): string => 'done';
    const { call } = await deskOf(
      [
        defineTool({ name: 'trimmed', description: 'Trims.', params: TrimmedParams, handler }),
        defineTool({ name: 'refined', description: 'Refines.', params: refined, handler }),
        defineTool({ name: 'plain', description: 'Counts.', params: PlainParams, handler }),
      ],
      { repair: 'on' },
    );
    for (const name of ['trimmed', 'refined']) {
      const { kind, text } = await call(name, { text: 'a' });
      expect({ kind, text }).toEqual({
        kind: 'rejected',
        text: expect.stringContaining(`could not be checked: ${reason}`) as string,
      });
    }
    expect(await call('plain', { count: 1 })).toMatchObject({ text: 'done' });
    // A repair would be checked as well: the arguments stay refused, for their own reason.
    expect((await call('plain', { count: '1' })).text).toContain('count: expected a number');
  });
});
