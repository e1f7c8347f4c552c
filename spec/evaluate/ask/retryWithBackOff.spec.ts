import { Deadline, systemClock, ThrottleError } from 'toolwright';
import type { ThrottleDetails } from 'toolwright/adapters';
import { FakeClock } from 'toolwright/testing';
import { retryWithBackOff } from '../../../src/evaluate/ask/retryWithBackOff';

/** Throttled by each of the details in turn, then answering. */
async function asking(throttles: readonly ThrottleDetails[], random = 0, deadlineMs?: number) {
  const clock = new FakeClock();
  let asked = 0;
  const ask = async (): Promise<string> => {
    const details = throttles[asked++];
    if (details !== undefined) throw new ThrottleError('later', details);
    return 'answer';
  };
  const deadline = deadlineMs === undefined ? undefined : Deadline.in(deadlineMs, clock);
  const outcome = await retryWithBackOff(ask, { clock, random: () => random, deadline, signal: undefined }).catch(
    (error: unknown) => error,
  );
  return { outcome, asked, slept: clock.slept };
}

const busy: ThrottleDetails = { kind: 'overloaded' };

describe('ADPT-01 asking again', () => {
  test('ADPT-01 a retry waits up to 0.5, 1, 2 and 4 seconds, and ends after five attempts', async () => {
    const { outcome, asked, slept } = await asking([busy, busy, busy, busy, busy], 1);
    expect(slept).toEqual([500, 1_000, 2_000, 4_000]);
    expect(asked).toBe(5);
    expect(outcome instanceof ThrottleError).toBe(true);
  });

  test('the wait is a random part of that', async () => {
    expect((await asking([busy, busy], 0.5)).slept).toEqual([250, 500]);
  });

  test('the fifth attempt may still answer', async () => {
    expect((await asking([busy, busy, busy, busy])).outcome).toBe('answer');
  });

  test('Retry-After is kept to, also beyond the cap of 8 seconds', async () => {
    expect(await asking([{ ...busy, retryAfter: 20 }])).toMatchObject({ outcome: 'answer', slept: [20_000] });
  });

  test('ADPT-01 a retry waits 30 seconds in all, at most', async () => {
    const sixteen = { ...busy, retryAfter: 16 };
    const { outcome, slept } = await asking([sixteen, sixteen, sixteen]);
    expect(slept).toEqual([16_000]);
    expect(outcome).toMatchObject({ name: 'ThrottleError', retryAfter: 16 });
  });

  test('evaluate never waits until the deadline or past it before it asks again', async () => {
    expect((await asking([{ ...busy, retryAfter: 5 }], 0, 5_000)).slept).toEqual([]);
    expect((await asking([{ ...busy, retryAfter: 4.9 }], 0, 5_000)).slept).toEqual([4_900]);
  });

  test('a request that is not safe to repeat is not repeated, nor is any other failure', async () => {
    expect((await asking([{ kind: 'quota_exhausted', retrySafe: false }])).asked).toBe(1);
    const ask = jest.fn(async () => Promise.reject(new TypeError('broken')));
    const rules = { clock: new FakeClock(), random: () => 0, deadline: undefined, signal: undefined };
    await expect(retryWithBackOff(ask, rules)).rejects.toThrow('broken');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test('ADPT-01 a retry ends when the caller aborts while it waits', async () => {
    const reason = new Error('left');
    const controller = new AbortController();
    const ask = async (): Promise<never> =>
      Promise.reject(new ThrottleError('later', { kind: 'unknown', retryAfter: 20 }));
    const rules = { clock: systemClock, random: () => 0, deadline: undefined, signal: controller.signal };
    const asked = retryWithBackOff(ask, rules);
    setTimeout(() => {
      controller.abort(reason);
    }, 5);
    await expect(asked).rejects.toBe(reason);
  });
});
