import { PromptError, ToolValidationError, ToolwrightError, type ParamIssue } from 'toolwright';
import { ParseError } from 'toolwright/schema';

const issue = (index: number): ParamIssue => ({ kind: 'missing', path: `f${index}`, message: 'is required' });

describe('ParseError', () => {
  test('ParseError says which class refused the value, where and why', () => {
    const issues: readonly ParamIssue[] = [
      { kind: 'type', path: '', message: 'expected an object, got null' },
      { kind: 'missing', path: 'items[0].qty', message: 'is required' },
    ];
    const error = new ParseError('Order', issues);
    expect(error).toMatchObject({ name: 'ParseError', code: 'E213', place: 'Order', issues });
    expect(error.message).toMatch(
      /^E213 Order: the value is not a valid Order: expected an object, got null; items\[0\]\.qty is required\n {2}fix: .+#e213\)$/,
    );
  });

  test('ParseError shows ten issues and holds all', () => {
    const error = new ParseError(
      'Order',
      Array.from({ length: 12 }, (_, index) => issue(index)),
    );
    expect(error.message).toContain('f9 is required; and 2 more');
    expect(error.message).not.toContain('f10');
    expect(error.issues).toHaveLength(12);
    expect(
      new ParseError(
        'Order',
        Array.from({ length: 10 }, (_, index) => issue(index)),
      ).message,
    ).not.toContain('; and');
  });

  test('a ParseError is recognised by its brand, and does not blame the model', () => {
    const error = new ParseError('Order', [issue(0)]);
    expect([error instanceof ParseError, error instanceof ToolwrightError]).toEqual([true, true]);
    expect([error instanceof ToolValidationError, error instanceof PromptError]).toEqual([false, false]);
    expect(new ToolValidationError('x') instanceof ParseError).toBe(false);
  });
});
