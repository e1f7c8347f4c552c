import { allow, deny } from 'toolwright/policies';

describe('decisions', () => {
  test('allow and deny return decisions, which cannot be changed', () => {
    expect(allow).toEqual({ allowed: true });
    expect(deny('why')).toEqual({ allowed: false, reason: 'why' });
    expect(Object.isFrozen(allow) && Object.isFrozen(deny('why'))).toBe(true);
  });
});
