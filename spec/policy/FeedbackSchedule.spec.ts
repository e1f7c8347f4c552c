import { FeedbackSchedule, type ScheduleInput } from '../../src/policy/FeedbackSchedule';

const at = (input: Partial<ScheduleInput>): ScheduleInput => ({
  call: 1,
  now: 0,
  hasFile: () => Promise.resolve(false),
  ...input,
});

describe('a cadence', () => {
  test('numbers calls from 1', () => {
    const schedule = new FeedbackSchedule(0);
    expect([schedule.count(), schedule.count(), schedule.count()]).toEqual([1, 2, 3]);
  });

  test('a cadence is due at every n-th call', async () => {
    const schedule = new FeedbackSchedule(0);
    const due = [];
    for (let call = 1; call <= 7; call++) due.push(await schedule.isDue({ everyCalls: 3 }, at({ call })));
    expect(due).toEqual([false, false, true, false, false, true, false]);
  });

  test('a cadence is due n seconds after its start, and then n seconds after it was last due', async () => {
    const schedule = new FeedbackSchedule(1_000);
    const isDueAt = (now: number) => schedule.isDue({ everySeconds: 2 }, at({ now }));
    expect(await isDueAt(2_999)).toBe(false);
    expect(await isDueAt(3_000)).toBe(true);
    expect(await isDueAt(4_999)).toBe(false);
    expect(await isDueAt(9_000)).toBe(true);
    expect(await isDueAt(10_999)).toBe(false);
  });

  test('a cadence is due once for a file, also when the file is removed and created again', async () => {
    const schedule = new FeedbackSchedule(0);
    const trigger = { fileCreated: 'AGENTS.md' };
    const asked: string[] = [];
    const isDue = (present: boolean) =>
      schedule.isDue(
        trigger,
        at({
          hasFile: (path) => {
            asked.push(path);
            return Promise.resolve(present);
          },
        }),
      );
    expect([await isDue(false), await isDue(true), await isDue(true), await isDue(false), await isDue(true)]).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
    // A file that was found is not looked up again.
    expect(asked).toEqual(['AGENTS.md', 'AGENTS.md']);
  });

  test('a cadence meets a file once, when two calls end together', async () => {
    const schedule = new FeedbackSchedule(0);
    const isDue = () => schedule.isDue({ fileCreated: 'a' }, at({ hasFile: () => Promise.resolve(true) }));
    expect(await Promise.all([isDue(), isDue()])).toEqual([true, false]);
  });

  test('a cadence counts a file that appeared while another trigger was due', async () => {
    const schedule = new FeedbackSchedule(0);
    const trigger = { everyCalls: 2, fileCreated: 'a' };
    const hasFile = () => Promise.resolve(true);
    expect(await schedule.isDue(trigger, at({ call: 2, hasFile }))).toBe(true);
    expect(await schedule.isDue(trigger, at({ call: 3, hasFile }))).toBe(false);
  });

  test('a cadence counts seconds from the last time by whatever trigger', async () => {
    const schedule = new FeedbackSchedule(0);
    const trigger = { everyCalls: 2, everySeconds: 10 };
    expect(await schedule.isDue(trigger, at({ call: 2, now: 9_000 }))).toBe(true);
    expect(await schedule.isDue(trigger, at({ call: 3, now: 12_000 }))).toBe(false);
    expect(await schedule.isDue(trigger, at({ call: 5, now: 19_000 }))).toBe(true);
  });

  test('a cadence takes what it is reminded of for asked and met', async () => {
    const schedule = new FeedbackSchedule(0);
    schedule.recall(5_000);
    const hasFile = () => Promise.resolve(true);
    expect(await schedule.isDue({ fileCreated: 'a', everySeconds: 10 }, at({ now: 14_999, hasFile }))).toBe(false);
    expect(await schedule.isDue({ fileCreated: 'a', everySeconds: 10 }, at({ now: 15_000, hasFile }))).toBe(true);
  });
});
