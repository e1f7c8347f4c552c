import { systemClock } from 'toolwright';

describe('systemClock', () => {
  test('now is the time of day, monotonic never goes back', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
    const moments = Array.from({ length: 100 }, () => systemClock.monotonic());
    expect(moments).toEqual([...moments].sort((left, right) => left - right));
  });

  test('systemClock reads the clock each time, and cannot be replaced', () => {
    const spy = jest.spyOn(Date, 'now').mockReturnValue(12_345);
    expect(systemClock.now()).toBe(12_345);
    spy.mockRestore();
    expect(systemClock.now()).toBeGreaterThan(12_345);
    expect(Object.isFrozen(systemClock)).toBe(true);
  });
});
