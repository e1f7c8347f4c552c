import { ContainerError, SessionError, ToolwrightError } from 'toolwright';
import { CircularDependencyError } from 'toolwright/adapters';
import { DuplicateBindingError, ProviderError, ResourceError, UnboundResourceError } from 'toolwright/resources';

describe('errors of resources', () => {
  test('an unbound resource is reported with what is bound', () => {
    const error = new UnboundResourceError('OrderStore', ['Clock', 'Mailbox']);
    expect(error).toMatchObject({ name: 'UnboundResourceError', code: 'E901', place: 'OrderStore' });
    expect(error.message).toContain('Bound are: Clock, Mailbox.');
    expect(new UnboundResourceError('OrderStore', []).message).toContain('No resource is bound.');
  });

  test('a circle is reported by its path', () => {
    const error = new CircularDependencyError(['A', 'B', 'A']);
    expect(error).toMatchObject({ code: 'E902', place: 'A', path: ['A', 'B', 'A'] });
    expect(error.message).toContain('A → B → A');
  });

  test('a double binding and a failing provider name the resource', () => {
    expect(new DuplicateBindingError('OrderStore')).toMatchObject({ code: 'E903', place: 'OrderStore' });
    const cause = new Error('no disk');
    expect(new ProviderError('OrderStore', 'it threw', cause)).toMatchObject({
      code: 'E904',
      place: 'OrderStore',
      cause,
    });
  });
});

describe('the family', () => {
  const errors = [
    new ContainerError('x', { code: 'E401', place: 'Desk' }),
    new SessionError('x', { code: 'E802', place: 'Plan' }),
    new UnboundResourceError('Store', []),
    new CircularDependencyError(['Store', 'Store']),
    new DuplicateBindingError('Store'),
    new ProviderError('Store', 'x'),
  ];

  test.each(errors)('$name: message with code, place, remedy and page', (error) => {
    expect(error.message).toMatch(
      new RegExp(
        `^${error.code} ${error.place!}: .+\\n {2}fix: .+\\. \\(docs/errors\\.md#${error.code.toLowerCase()}\\)$`,
      ),
    );
    expect(error.message).toContain(error.remedy);
  });

  test('each class knows its own and its children, and nothing else', () => {
    const classes = [ContainerError, SessionError, ResourceError, UnboundResourceError, ProviderError];
    expect(errors.map((error) => classes.map((type) => error instanceof type))).toEqual([
      [true, false, false, false, false],
      [false, true, false, false, false],
      [false, false, true, true, false],
      [false, false, true, false, false],
      [false, false, true, false, false],
      [false, false, true, false, true],
    ]);
    expect([errors[3] instanceof CircularDependencyError, errors[4] instanceof CircularDependencyError]).toEqual([
      true,
      false,
    ]);
    expect([errors[4] instanceof DuplicateBindingError, errors[3] instanceof DuplicateBindingError]).toEqual([
      true,
      false,
    ]);
    expect(errors.every((value) => value instanceof ToolwrightError)).toBe(true);
  });
});
