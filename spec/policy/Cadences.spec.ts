import { StaticFeedback } from 'toolwright';
import { Cadences } from '../../src/policy/Cadences';
import { collectGarbage } from '../session/collectGarbage';

describe('cadences', () => {
  test('are one for each provider instance in each session', () => {
    const cadences = new Cadences();
    const [one, other] = [{}, {}];
    const twins = [new StaticFeedback('a', { everyCalls: 1 }), new StaticFeedback('a', { everyCalls: 1 })] as const;
    const all = [one, other].flatMap((session) => twins.map((twin) => cadences.of(session, twin, 0)));
    expect(new Set(all).size).toBe(4);
    expect(cadences.of(other, twins[1], 99)).toBe(all[3]);
  });

  test('are kept no longer than their session', async () => {
    const cadences = new Cadences();
    const provider = new StaticFeedback('a', { everyCalls: 1 });
    const inUse = (): WeakRef<object> => {
      const session = {};
      cadences.of(session, provider, 0).count();
      return new WeakRef(session);
    };
    const session = inUse();
    // A WeakRef holds its target until the job that made it is over.
    await new Promise(setImmediate);
    collectGarbage();
    expect(session.deref()).toBeUndefined();
    expect(cadences.of({}, provider, 0).count()).toBe(1);
  });

  test('begin when they are first asked for', async () => {
    const cadences = new Cadences();
    const [session, provider] = [{}, new StaticFeedback('a', { everySeconds: 1 })];
    cadences.of(session, provider, 5_000);
    const cadence = cadences.of(session, provider, 7_000);
    const moment = { call: 1, hasFile: () => Promise.resolve(false) };
    expect(await cadence.isDue(provider.trigger, { ...moment, now: 5_999 })).toBe(false);
    expect(await cadence.isDue(provider.trigger, { ...moment, now: 6_000 })).toBe(true);
  });
});
