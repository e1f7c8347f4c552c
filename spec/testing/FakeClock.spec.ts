import { FakeClock } from 'toolwright/testing';

describe('FakeClock', () => {
  test('a FakeClock stands still until it is moved', () => {
    const clock = new FakeClock();
    expect(clock.now()).toBe(Date.parse('2030-01-01T00:00:00Z'));
    expect(clock.now()).toBe(clock.monotonic());
    clock.advance(1_500);
    expect(clock.now()).toBe(Date.parse('2030-01-01T00:00:01.500Z'));
    expect(clock.monotonic()).toBe(clock.now());
  });

  test.each<[number | string | Date]>([[1_000], ['1970-01-01T00:00:01Z'], [new Date(1_000)]])(
    'FakeClock starts at %p if told so',
    (start) => {
      expect(new FakeClock(start).now()).toBe(1_000);
    },
  );
});
