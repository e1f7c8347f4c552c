import { Budget, BudgetTracker, Deadline } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { describeWrapUp } from '../../src/evaluate/describeWrapUp';

const ample = { used: 1, limit: 100 };

describe('messages to a model before a limit stops the run', () => {
  test('nothing while there is enough of everything', () => {
    const budget = new BudgetTracker(new Budget({ maxTotalTokens: 1_000, maxToolCalls: 10 }));
    budget.record('run', { totalTokens: 799 });
    budget.recordToolCalls(7);
    const deadline = Deadline.in(10_000, new FakeClock());
    expect(describeWrapUp({ budget, deadline, requests: ample })).toBeUndefined();
  });

  test.each([
    ['the last answer', { used: 2, limit: 3 }, '1 of 3 answers'],
    ['a fifth of the answers', { used: 80, limit: 100 }, '20 of 100 answers'],
  ])('a model is warned before the limit of requests: %s', (_what, requests, words) => {
    expect(describeWrapUp({ budget: undefined, deadline: undefined, requests })).toContain(words);
  });

  test('tokens, calls and time, each with what is left', () => {
    const clock = new FakeClock();
    const budget = new BudgetTracker(new Budget({ maxTotalTokens: 1_000, maxInputTokens: 5_000, maxToolCalls: 10 }));
    budget.record('run', { inputTokens: 800, outputTokens: 100 });
    budget.recordToolCalls(9);
    const deadline = Deadline.in(10_000, clock);
    clock.advance(8_500);
    const text = describeWrapUp({ budget, deadline, requests: ample });
    expect(text).toContain('1.5 of 10.0 seconds, 100 of 1000 tokens, 1 of 10 tool calls left');
    expect(text).not.toContain('input tokens');
  });
});
