import { checkedInTime } from '../../src/schema/checkedInTime';

/** Holds the thread without the processor, as other processes do on a busy machine. */
const wait = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('a check that is ended after its time', () => {
  test('is begun again where the processor did something else in that time', () => {
    let attempts = 0;
    const check = (): string => {
      if (++attempts < 3) wait(5_000);
      return 'checked';
    };
    expect(checkedInTime(check)).toBe('checked');
    expect(attempts).toBe(3);
  });

  test('is given up after three attempts', () => {
    let attempts = 0;
    const check = (): void => {
      attempts++;
      wait(5_000);
    };
    expect(checkedInTime(check)).toBeUndefined();
    expect(attempts).toBe(3);
  });

  test.each([
    ['nearly all of the time is given up', 39_500, 1],
    ['half of it is begun again, for what is left', 20_001, 2],
    ['a small part is begun twice more', 5_000, 3],
  ])('that was at work for %s', (_what, micros, times) => {
    let attempts = 0;
    const usage = jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: micros - 1_000, system: 1_000 });
    const check = (): void => {
      attempts++;
      wait(5_000);
    };
    expect(checkedInTime(check)).toBeUndefined();
    expect(attempts).toBe(times);
    usage.mockRestore();
  });

  test('does not begin where no time is left', () => {
    let attempts = 0;
    expect(checkedInTime(() => attempts++, 39.5)).toBeUndefined();
    expect(attempts).toBe(0);
  });
});
