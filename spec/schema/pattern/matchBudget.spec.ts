import { checkInTime } from '../../../src/schema/pattern/checkInTime';
import { spendMatch, runWithMatchBudget } from '../../../src/schema/pattern/matchBudget';

describe('the budget for the matches of one check', () => {
  const spend = (times: number, part: number) => (): string => {
    for (let time = 0; time < times; time++) spendMatch(part);
    return 'done';
  };

  test('the budget for the matches of one check ends a check that has spent it, and no other', () => {
    expect(runWithMatchBudget(spend(4, 0.25))).toBe('done');
    expect(runWithMatchBudget(spend(5, 0.25))).toBeUndefined();
    expect(runWithMatchBudget(spend(4, 0.25))).toBe('done');
  });

  test('the budget for the matches of one check is one for each check, also where a check is within another', () => {
    const outer = (): unknown => {
      spendMatch(0.75);
      const inner = [runWithMatchBudget(spend(3, 0.25)), runWithMatchBudget(spend(3, 0.5))];
      spendMatch(0.25);
      return inner;
    };
    expect(runWithMatchBudget(outer)).toEqual(['done', undefined]);
  });

  test('the budget for the matches of one check is unlimited outside of a check, and passes errors on', () => {
    expect(spend(10, 0.5)()).toBe('done');
    expect(() =>
      runWithMatchBudget(() => {
        throw new TypeError('broken');
      }),
    ).toThrow('broken');
  });

  test('the budget for the matches of one check does not apply to a watched check, and does not outlast a check that is ended', () => {
    const endless = (): unknown => {
      for (;;) spendMatch(0);
    };
    expect(runWithMatchBudget(() => checkInTime(spend(9, 0.5)))).toBe('done');
    expect(checkInTime(() => runWithMatchBudget(endless))).toBeUndefined();
    expect(spend(9, 0.5)()).toBe('done');
  });
});
