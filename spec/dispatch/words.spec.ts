import {
  conflictText,
  partialCommitText,
  invalidResultText,
  rejectedText,
  thrownText,
  timedOutText,
  unknownToolText,
} from '../../src/dispatch/messages';

describe('what the model reads', () => {
  test('names what happened, what it means for the state, and what to do next', () => {
    const issue = { kind: 'type', path: 'a', message: 'expected a string, got null' } as const;
    expect(unknownToolText('pig', ['ping'])).toMatch(
      /"pig".*Did you mean "ping".*Available tools: ping.*Nothing was done/,
    );
    expect(rejectedText('ping', [issue])).toMatch(/ping[^]*a: expected a string, got null[^]*Nothing was done/);
    expect(thrownText('ping', new Error('boom'), 'none')).toMatch(/ping failed: boom[^]*Nothing was changed/);
    expect(invalidResultText('ping', [issue], 'none')).toMatch(/ping[^]*a: expected a string[^]*Nothing was changed/);
    expect(timedOutText('ping', 50, 'none')).toMatch(/ping timed out after 50 ms.*Nothing was changed/);
    expect(timedOutText('ping', 50, 'unknown')).toMatch(/ping timed out after 50 ms.*not known/);
    expect(conflictText('ping', 'none')).toMatch(/ping.*changed.*call it again/);
    expect(partialCommitText('ping', new Error('disk full'))).toMatch(/ping[^]*in part: disk full/);
  });

  test('the text for the model is bounded, whatever the model sends and a tool throws', () => {
    const long = 'x'.repeat(100_000);
    const issues = Array.from({ length: 500 }, () => ({ kind: 'type', path: long, message: long }) as const);
    expect(thrownText('ping', new Error(long), 'unknown').length).toBeLessThan(2_000);
    expect(rejectedText('ping', issues).length).toBeLessThanOrEqual(1_000);
    expect(
      unknownToolText(
        long,
        Array.from({ length: 500 }, (_, index) => `tool_${index}`),
      ).length,
    ).toBeLessThan(1_000);
  });

  test('a refusal without path concerns the arguments as a whole', () => {
    expect(rejectedText('ping', [{ kind: 'type', path: '', message: 'expected an object' }])).toContain(
      '- arguments: expected an object',
    );
  });
});
