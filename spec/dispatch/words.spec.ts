import {
  describeAllOpen,
  describeCallBudget,
  describeClosedSections,
  describeConflict,
  describeDenial,
  describeInvalidResult,
  describeIssues,
  describeNotRestored,
  describeOpened,
  describePartialCommit,
  describeRejection,
  describeThrown,
  describeTimeout,
  describeTooCostly,
  describeToolChanges,
  describeUnknownTool,
  describeWrongParts,
} from '../../src/dispatch/finish/outcomeTexts';

describe('texts for the model', () => {
  test('messages name what happened, what it means for the state, and what to do next', () => {
    const issue = { kind: 'type', path: 'a', message: 'expected a string, got null' } as const;
    expect(describeUnknownTool('pig', ['ping'])).toMatch(
      /"pig".*Did you mean "ping".*Available tools: ping.*Nothing was done/,
    );
    expect(describeRejection('ping', [issue])).toMatch(/ping[^]*a: expected a string, got null[^]*Nothing was done/);
    expect(describeThrown('ping', new Error('boom'), 'none')).toMatch(/ping failed: boom[^]*Nothing was changed/);
    expect(describeInvalidResult('ping', [issue], 'none')).toMatch(
      /ping[^]*a: expected a string[^]*Nothing was changed/,
    );
    expect(describeTimeout('ping', 50, 'none')).toMatch(/ping timed out after 50 ms.*Nothing was changed/);
    expect(describeTimeout('ping', 50, 'unknown')).toMatch(/ping timed out after 50 ms.*not known/);
    expect(describeConflict('ping', 'none')).toMatch(/ping.*changed.*call it again/);
    expect(describePartialCommit('ping', new Error('disk full'))).toMatch(/ping[^]*in part: disk full/);
  });

  test('messages of calls and sections are written in whole', () => {
    expect(
      describeIssues('ping', [
        { kind: 'type', path: 'a', message: 'no' },
        { kind: 'type', path: '', message: 'bad' },
      ]),
    ).toBe('The arguments of ping were not accepted: a: no; bad');
    expect(describeTimeout('ping', 50, 'keyed')).toMatch(/same call adds no further one\.$/);
    expect(describeTimeout('ping', 50, 'unknown')).toMatch(/not known\. Check that before you call it again/);
    expect(describeCallBudget({ dimension: 'tool_calls', used: 3, limit: 2 })).toBe(
      'This run allows 2 tool calls, and has had 3.',
    );
    expect(describeOpened(['a', 'b'], ['A', 'B'], ['x', 'y'])).toBe(
      'Opened in full: a, b.\n\nA\n\nB\n\nTools that can be called now as well: x, y.',
    );
    expect(describeOpened(['a'], ['A'], [])).toBe('Opened in full: a.\n\nA');
    const openings = { used: 2, limit: 2 };
    expect(describeClosedSections({ dimension: 'expansions', ...openings })).toContain(
      'allows 2 openings of sections, and has had 2',
    );
    expect(describeClosedSections({ dimension: 'opened_sections', ...openings })).toContain(
      'allows 2 opened sections, and has had 2',
    );
    expect(describeAllOpen('open_sections')).toMatch(
      /^There is nothing left for open_sections: .+ Nothing was done\.$/,
    );
    expect(describeToolChanges({ added: ['a', 'b'], removed: ['c', 'd'] })).toBe(
      '[Not available any more: c, d. Calls of them are refused. Available from now on: a, b.]',
    );
    expect(describeToolChanges({ added: ['a'], removed: [] })).toBe('[Available from now on: a.]');
  });

  test('the message names the sections that would fit into the tokens that are left, to the last token', () => {
    const cost = (path: string, total: number) => ({ path, total }) as Parameters<typeof describeTooCostly>[0][number];
    const costs = [cost('a', 10), cost('b', 11)];
    expect(describeTooCostly(costs, { dimension: 'input_tokens', used: 90, limit: 100 })).toMatch(
      /a \(about 10\).+b \(about 11\).+than the 10 that are left of this run's 100\. .+such as a alone/,
    );
    expect(describeTooCostly(costs, { dimension: 'input_tokens', used: 101, limit: 100 })).toMatch(
      /the 0 that are left.+Go on with the summaries\.$/,
    );
  });

  test('messages are bounded for each text that others write', () => {
    const long = 'x'.repeat(100_000);
    const issue = { kind: 'type', path: '', message: long } as const;
    const texts = [
      describeIssues('ping', [issue]),
      describeInvalidResult(
        'ping',
        Array.from({ length: 50 }, () => issue),
        'none',
      ),
      describeWrongParts('ping', { path: long, problem: long }, 'none'),
      describeDenial('ping', long),
      describeNotRestored('ping', long),
      describePartialCommit('ping', new Error(long)),
    ];
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(1_150);
    expect(describeInvalidResult('ping', [issue, issue], 'none').split('\n')).toHaveLength(4);
    expect(describeInvalidResult('ping', [issue], 'none')).toContain('\n- result: xxx');
  });

  test('a message says how many issues it leaves out, and that there may be more', () => {
    const issues = (count: number) =>
      Array.from({ length: count }, () => ({ kind: 'type', path: 'a', message: 'x'.repeat(200) }) as const);
    expect(describeRejection('ping', issues(99))).toMatch(/- and \d+ more\n/);
    expect(describeRejection('ping', issues(100))).toMatch(/- and \d+ more, at least\n/);
    expect(describeRejection('ping', [{ kind: 'type', path: 'a', message: 'y'.repeat(400) }])).toContain(
      `- a: ${'y'.repeat(295)}…\n`,
    );
  });

  test('the text for the model is bounded, whatever the model sends and a tool throws', () => {
    const long = 'x'.repeat(100_000);
    const issues = Array.from({ length: 500 }, () => ({ kind: 'type', path: long, message: long }) as const);
    expect(describeThrown('ping', new Error(long), 'unknown').length).toBeLessThan(2_000);
    expect(describeRejection('ping', issues).length).toBeLessThanOrEqual(1_000);
    expect(
      describeUnknownTool(
        long,
        Array.from({ length: 500 }, (_, index) => `tool_${index}`),
      ).length,
    ).toBeLessThan(1_000);
  });

  test('a refusal without path concerns the arguments as a whole', () => {
    expect(describeRejection('ping', [{ kind: 'type', path: '', message: 'expected an object' }])).toContain(
      '- arguments: expected an object',
    );
  });
});
