import { StaticFeedback } from 'toolwright/policies';
import { FeedbackSchedules } from '../../src/policy/FeedbackSchedule';
import { collectGarbage } from '../session/collectGarbage';

describe('cadences', () => {
  test('there is one cadence for each provider instance in each session', () => {
    const schedules = new FeedbackSchedules();
    const [one, other] = [{}, {}];
    const twins = [new StaticFeedback('a', { everyCalls: 1 }), new StaticFeedback('a', { everyCalls: 1 })] as const;
    const all = [one, other].flatMap((session) => twins.map((twin) => schedules.of(session, twin, 0)));
    expect(new Set(all).size).toBe(4);
    expect(schedules.of(other, twins[1], 99)).toBe(all[3]);
  });

  test('cadences are kept no longer than their session', async () => {
    const schedules = new FeedbackSchedules();
    const provider = new StaticFeedback('a', { everyCalls: 1 });
    const inUse = (): WeakRef<object> => {
      const session = {};
      schedules.of(session, provider, 0).count();
      return new WeakRef(session);
    };
    const session = inUse();
    // A WeakRef holds its target until the job that made it is over.
    await new Promise(setImmediate);
    collectGarbage();
    expect(session.deref()).toBeUndefined();
    expect(schedules.of({}, provider, 0).count()).toBe(1);
  });

  test('cadences begin when they are first asked for', async () => {
    const schedules = new FeedbackSchedules();
    const [session, provider] = [{}, new StaticFeedback('a', { everySeconds: 1 })];
    schedules.of(session, provider, 5_000);
    const schedule = schedules.of(session, provider, 7_000);
    const input = { call: 1, hasFile: () => Promise.resolve(false) };
    expect(await schedule.isDue(provider.trigger, { ...input, now: 5_999 })).toBe(false);
    expect(await schedule.isDue(provider.trigger, { ...input, now: 6_000 })).toBe(true);
  });
});
