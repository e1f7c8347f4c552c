import {
  DeadlineExceededError,
  PromptError,
  ReadOnlyViolationError,
  ToolRefusal,
  ToolValidationError,
  ToolwrightError,
  TransactionClosedError,
} from 'toolwright';

describe('ToolRefusal', () => {
  test('the message of a ToolRefusal is what the model reads, without code or remedy', () => {
    expect(new ToolRefusal('Only pending orders can be cancelled.')).toMatchObject({
      name: 'ToolRefusal',
      message: 'Only pending orders can be cancelled.',
      code: 'E604',
      value: null,
    });
  });

  test('a refusal may carry a value and a cause', () => {
    const cause = new Error('409');
    const refusal = new ToolRefusal('Refused.', { value: 0, cause });
    expect(refusal.value).toBe(0);
    expect(refusal.cause).toBe(cause);
    expect(new ToolRefusal('Refused.', { value: undefined }).value).toBeNull();
  });
});

describe('ToolValidationError', () => {
  test('ToolValidationError holds issues, none by default', () => {
    const issues = [{ kind: 'constraint', path: 'items[3].qty', message: 'is more than there is' }] as const;
    expect(new ToolValidationError('Wrong.', { issues })).toMatchObject({ code: 'E603', message: 'Wrong.', issues });
    expect(new ToolValidationError('Wrong.').issues).toEqual([]);
  });
});

describe('DeadlineExceededError', () => {
  test('a DeadlineExceededError has a message by default', () => {
    expect(new DeadlineExceededError()).toMatchObject({ code: 'E605', message: 'The deadline has passed.' });
    expect(new DeadlineExceededError('Too late.').message).toBe('Too late.');
  });
});

describe('errors of a misused call', () => {
  test.each<[ToolwrightError, string]>([
    [new TransactionClosedError('session'), 'E602'],
    [new ReadOnlyViolationError('slice Plan'), 'E607'],
  ])('%s says where and what to do', (error, code) => {
    expect(error.code).toBe(code);
    expect(error.place).toMatch(/^(session|slice Plan)$/);
    expect(error.message).toMatch(
      new RegExp(`^${code} ${error.place!}: .+\\n {2}fix: .+docs/errors\\.md#${code.toLowerCase()}`),
    );
  });
});

describe('the family', () => {
  test('each class knows its own and nothing else', () => {
    const errors = [
      new ToolRefusal('x'),
      new ToolValidationError('x'),
      new DeadlineExceededError(),
      new TransactionClosedError('x'),
      new ReadOnlyViolationError('x'),
    ];
    const classes = [
      ToolRefusal,
      ToolValidationError,
      DeadlineExceededError,
      TransactionClosedError,
      ReadOnlyViolationError,
    ];
    errors.forEach((error, row) => {
      expect(classes.map((type) => error instanceof type)).toEqual(classes.map((_type, column) => row === column));
    });
    expect(errors.every((value) => value instanceof ToolwrightError)).toBe(true);
    expect(errors.some((value) => value instanceof PromptError)).toBe(false);
  });
});
