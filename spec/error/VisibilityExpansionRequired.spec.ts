import { PromptError, VisibilityExpansionRequired } from 'toolwright';

describe('VisibilityExpansionRequired', () => {
  const given = {
    sectionKeys: ['a', 'b.c'],
    reason: 'R',
    requestedOverrides: { a: 'full', 'b.c': 'full' },
  } as const;

  test('VisibilityExpansionRequired has the message of the contract', () => {
    const signal = new VisibilityExpansionRequired(given);
    expect(signal.message).toBe('Visibility expansion required for sections: a, b.c. Reason: R');
    expect(signal).toMatchObject({ name: 'VisibilityExpansionRequired', code: 'E606', reason: 'R' });
    expect(signal.sectionKeys).toEqual(['a', 'b.c']);
  });

  test('the overrides are a record without prototype, and nothing of it can be changed', () => {
    const sectionKeys = ['a'];
    const requestedOverrides: Record<string, 'full'> = { a: 'full' };
    const signal = new VisibilityExpansionRequired({ sectionKeys, reason: 'R', requestedOverrides });
    expect(Object.getPrototypeOf(signal.requestedOverrides)).toBeNull();
    expect({ ...signal.requestedOverrides }).toEqual({ a: 'full' });
    sectionKeys.push('b');
    requestedOverrides['b'] = 'full';
    expect(signal.sectionKeys).toEqual(['a']);
    expect(Object.keys(signal.requestedOverrides)).toEqual(['a']);
    expect([Object.isFrozen(signal.sectionKeys), Object.isFrozen(signal.requestedOverrides)]).toEqual([true, true]);
  });

  test('hostile keys are keys like any other', () => {
    const requestedOverrides = JSON.parse('{"__proto__":"full","constructor":"full"}') as Record<string, 'full'>;
    const signal = new VisibilityExpansionRequired({ sectionKeys: ['__proto__'], reason: 'R', requestedOverrides });
    expect(Object.keys(signal.requestedOverrides)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(signal.requestedOverrides)).toBeNull();
  });

  test('VisibilityExpansionRequired is a PromptError, and is recognised by its guard', () => {
    const signal = new VisibilityExpansionRequired(given);
    expect([signal instanceof VisibilityExpansionRequired, signal instanceof PromptError]).toEqual([true, true]);
    expect(new PromptError('x', { code: 'E606' }) instanceof VisibilityExpansionRequired).toBe(false);
    expect(VisibilityExpansionRequired instanceof VisibilityExpansionRequired).toBe(false);
  });
});
