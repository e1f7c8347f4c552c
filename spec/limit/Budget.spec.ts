import { Budget, BudgetExceededError, type BudgetLimits, BudgetTracker, Deadline, type Usage } from 'toolwright';
import { FakeClock } from 'toolwright/testing';

describe('Budget', () => {
  test.each<[string, BudgetLimits]>([
    ['no limit', {}],
    ['only undefined ones', { maxTotalTokens: undefined }],
    ['CANC-06 zero', { maxTotalTokens: 0 }],
    ['CANC-06 a negative one', { maxInputTokens: -1 }],
    ['a fraction', { maxToolCalls: 1.5 }],
    ['no number', { maxOutputTokens: Number.NaN }],
  ])('E706: a budget with %s is refused', (_what, limits) => {
    expect(() => new Budget(limits)).toThrow(expect.objectContaining({ code: 'E706' }) as Error);
  });

  test('a budget is frozen, and allows eight expansions unless it says otherwise', () => {
    const budget = new Budget({ maxToolCalls: 1 });
    expect(Object.isFrozen(budget)).toBe(true);
    expect(budget.maxExpansions).toBe(8);
    expect(new Budget({ maxExpansions: 2 }).maxExpansions).toBe(2);
  });
});

describe('BudgetTracker', () => {
  const exceeded = (limits: BudgetLimits, spend: (tracker: BudgetTracker) => void): string | undefined => {
    const tracker = new BudgetTracker(new Budget(limits));
    spend(tracker);
    try {
      tracker.check();
      return undefined;
    } catch (error) {
      if (!(error instanceof BudgetExceededError)) throw error;
      return error.dimension;
    }
  };

  test.each<[string, BudgetLimits, Usage, string | undefined]>([
    ['at the limit', { maxTotalTokens: 10 }, { inputTokens: 6, outputTokens: 4 }, undefined],
    ['above it', { maxTotalTokens: 10 }, { inputTokens: 6, outputTokens: 5 }, 'total_tokens'],
    ['the total that the provider tells', { maxTotalTokens: 10 }, { inputTokens: 1, totalTokens: 11 }, 'total_tokens'],
    [
      'input before output before total',
      { maxTotalTokens: 1, maxInputTokens: 1, maxOutputTokens: 1 },
      { inputTokens: 2, outputTokens: 2 },
      'input_tokens',
    ],
    [
      'output before total',
      { maxTotalTokens: 1, maxOutputTokens: 1 },
      { inputTokens: 2, outputTokens: 2 },
      'output_tokens',
    ],
  ])('a budget of tokens is compared with the usage: %s', (_what, limits, usage, dimension) => {
    expect(exceeded(limits, (tracker) => tracker.record('e', usage))).toBe(dimension);
  });

  test('calls, expansions and opened sections are counted', () => {
    expect(exceeded({ maxToolCalls: 2 }, (tracker) => tracker.recordToolCalls(2))).toBeUndefined();
    expect(exceeded({ maxToolCalls: 2 }, (tracker) => tracker.recordToolCalls(3))).toBe('tool_calls');
    const open = (sections: number, times: number) => (tracker: BudgetTracker) => {
      for (let time = 0; time < times; time++) tracker.recordExpansion(sections);
    };
    expect(exceeded({ maxToolCalls: 1 }, open(1, 8))).toBeUndefined();
    expect(exceeded({ maxToolCalls: 1 }, open(1, 9))).toBe('expansions');
    expect(exceeded({ maxOpenedSections: 3 }, open(2, 2))).toBe('opened_sections');
  });

  test('the deadline comes first, and is over at its moment', () => {
    const clock = new FakeClock();
    const deadline = Deadline.in(10_000, clock);
    const spend = (tracker: BudgetTracker): void => tracker.record('e', { totalTokens: 5 });
    clock.advance(9_999);
    expect(exceeded({ deadline, maxTotalTokens: 5 }, spend)).toBeUndefined();
    clock.advance(1);
    expect(exceeded({ deadline, maxTotalTokens: 1 }, spend)).toBe('deadline');
  });

  test('a later figure of one evaluation replaces the earlier; several evaluations add up', () => {
    const tracker = new BudgetTracker(new Budget({ maxTotalTokens: 100 }));
    tracker.record('one', { inputTokens: 6 });
    tracker.record('one', { inputTokens: 7 });
    tracker.record('two', { outputTokens: 3 });
    expect(tracker.consumed).toEqual({ input: 7, output: 3, total: 10 });
  });

  test('CANC-06 a cost that the provider does not report is unknown, not nothing', () => {
    const tracker = new BudgetTracker(new Budget({ maxTotalTokens: 100 }));
    tracker.record('one', { totalTokens: 50 });
    tracker.record('one', undefined);
    expect(tracker.consumed.total).toBe(50);
    expect(tracker.unreported).toBe(1);
  });
});
