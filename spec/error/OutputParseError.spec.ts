import { OutputParseError, PromptError, PromptEvaluationError } from 'toolwright';

const issues = [{ kind: 'missing', path: 'stars', message: 'is required: a number' }] as const;

describe('OutputParseError', () => {
  test('OutputParseError says what was expected and what is wrong; the text is a field, not a part of the message', () => {
    const error = new OutputParseError({ expected: 'Review', rawText: 'a long text', issues });
    expect(error).toMatchObject({
      name: 'OutputParseError',
      code: 'E530',
      place: 'Review',
      rawText: 'a long text',
      issues,
    });
    expect(error.message).toMatch(
      /^E530 Review: the answer is not Review: stars is required: a number\n {2}fix: .+ \(docs\/errors\.md#e530\)$/,
    );
    expect(error.message).not.toContain('a long text');
  });

  test('OutputParseError says why the model was not asked again', () => {
    const error = new OutputParseError({ expected: 'Review', rawText: '', issues, stopped: 'it declined' });
    expect(error.code).toBe('E531');
    expect(error.message).toMatch(/^E531 Review: it declined; the answer is not Review: /);
  });

  test('an OutputParseError is recognised by its brand, and concerns a prompt', () => {
    const error = new OutputParseError({ expected: 'Review', rawText: '', issues });
    expect([error instanceof OutputParseError, error instanceof PromptError]).toEqual([true, true]);
    expect([error instanceof PromptEvaluationError, new Error('x') instanceof OutputParseError]).toEqual([
      false,
      false,
    ]);
  });
});
