import { Deadline, type ToolOutcome } from 'toolwright';
import { type CallContext, DeadlineFeedback, type ParsedCall } from 'toolwright/policies';
import { FakeClock } from 'toolwright/testing';

/** The feedback with so many milliseconds left of ten hours; null for a run without a deadline. */
function said(remaining: number | null, warningThresholdSeconds?: number): string | undefined {
  const clock = new FakeClock();
  const deadline = remaining === null ? null : Deadline.in(36_000_000, clock);
  if (remaining !== null) clock.advance(36_000_000 - remaining);
  const feedback = new DeadlineFeedback({ trigger: { everyCalls: 1 }, warningThresholdSeconds });
  return feedback.provide({} as ParsedCall, {} as ToolOutcome, { deadline } as CallContext);
}

describe('DeadlineFeedback', () => {
  test('DeadlineFeedback is silent without a deadline', () => {
    expect(said(null)).toBeUndefined();
  });

  test.each([
    [36_000_000, '10 h left for this task.'],
    [7_385_999, '2 h 3 min 5 s left for this task.'],
    [3_600_000, '1 h left for this task.'],
    [120_000, '2 min left for this task.'],
  ])('with %i ms left, above the threshold, the feedback states the time', (remaining, text) => {
    expect(said(remaining)).toBe(text);
  });

  test.each([119_999, 42_000, 1_000])(
    'with %i ms left, under the threshold, the feedback says what to do',
    (remaining) => {
      expect(said(remaining)).toMatch(/^Only .* s left for this task\. Finish what matters most/);
    },
  );

  test('DeadlineFeedback takes another threshold', () => {
    expect(said(60_000, 60)).toBe('1 min left for this task.');
    expect(said(59_999, 60)).toMatch(/^Only 59 s left/);
    expect(said(3_600_000, 7_200)).toMatch(/^Only 1 h left/);
  });

  test.each([999, 0, -5_000])('with %i ms left, the feedback asks for the answer', (remaining) => {
    expect(said(remaining)).toMatch(/^The time for this task is over\. Give your final answer now/);
  });
});
