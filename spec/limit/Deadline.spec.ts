import { Deadline, DeadlineExceededError, systemClock, ToolwrightError } from 'toolwright';
import { FakeClock } from 'toolwright/testing';

describe('Deadline', () => {
  test('Deadline counts by its clock: remaining falls below zero, elapsed grows', () => {
    const clock = new FakeClock(1_000);
    const deadline = Deadline.in(30_000, clock);
    expect(deadline).toMatchObject({ at: 31_000, startedAt: 1_000, remaining: 30_000, elapsed: 0, expired: false });
    clock.advance(29_999);
    expect(deadline).toMatchObject({ remaining: 1, elapsed: 29_999, expired: false });
    clock.advance(5_001);
    expect(deadline).toMatchObject({ at: 31_000, remaining: -5_000, elapsed: 35_000, expired: true });
  });

  test('a deadline has expired at the moment itself', () => {
    const clock = new FakeClock();
    const deadline = Deadline.in(1_000, clock);
    clock.advance(1_000);
    expect([deadline.remaining, deadline.expired]).toEqual([0, true]);
    expect(() => {
      deadline.check();
    }).toThrow(DeadlineExceededError);
  });

  test('check says nothing before, and by how much it is late after', () => {
    const clock = new FakeClock();
    const deadline = Deadline.in(5_000, clock);
    clock.advance(4_999);
    expect(() => {
      deadline.check();
    }).not.toThrow();
    clock.advance(251);
    expect(() => {
      deadline.check();
    }).toThrow(
      expect.objectContaining({ code: 'E605', message: expect.stringContaining('250 ms') as unknown }) as Error,
    );
  });

  test('a deadline is at least one second ahead when it is made', () => {
    const clock = new FakeClock(10_000);
    expect(Deadline.in(1_000, clock).remaining).toBe(1_000);
    expect(new Deadline(11_000, clock).remaining).toBe(1_000);
    for (const milliseconds of [999, 0, -1, Number.NaN, -Infinity]) {
      expect(() => Deadline.in(milliseconds, clock)).toThrow(
        expect.objectContaining({ code: 'E605', remedy: 'Give the run at least one second.' }) as Error,
      );
    }
    expect(() => new Deadline(10_999, clock)).toThrow(ToolwrightError);
    expect(() => new Deadline(10_999, clock)).toThrow(/1000 ms.*999 ms/);
  });

  test('a refused deadline is not an exceeded one', () => {
    const refusal = ((): unknown => {
      try {
        return Deadline.in(0, new FakeClock());
      } catch (error) {
        return error;
      }
    })();
    expect(refusal instanceof ToolwrightError).toBe(true);
    expect(refusal instanceof DeadlineExceededError).toBe(false);
  });

  test("Deadline takes the machine's clock when none is given", () => {
    const before = Date.now();
    const deadline = Deadline.in(60_000);
    expect(deadline.clock).toBe(systemClock);
    expect(deadline.at).toBeGreaterThanOrEqual(before + 60_000);
    expect(deadline.at).toBeLessThanOrEqual(Date.now() + 60_000);
  });
});
