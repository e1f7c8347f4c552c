import { AllOf } from 'toolwright/policies';
import { checkerOf, no, scopeOf, YES } from './checks';

const answer = { text: 'Done.' };

describe('AllOf', () => {
  test('AllOf is complete when all of its checkers are, and without any', async () => {
    expect(await new AllOf(checkerOf(YES), checkerOf(YES)).check(answer, scopeOf())).toEqual(YES);
    expect(await new AllOf().check(answer, scopeOf())).toEqual(YES);
  });

  test('AllOf returns the first refusal, and asks none after it', async () => {
    const [first, second, third] = [checkerOf(YES), checkerOf(no('x is missing')), checkerOf(no('y is missing'))];
    expect(await new AllOf(first, second, third).check(answer, scopeOf())).toEqual(no('x is missing'));
    expect([first.asked(), second.asked(), third.asked()]).toEqual([1, 1, 0]);
  });

  test('AllOf refuses when one throws', async () => {
    const scope = scopeOf();
    const verdict = await new AllOf(checkerOf(new Error('no network'), 'judge'), checkerOf(YES)).check(answer, scope);
    expect(verdict.complete).toBe(false);
    expect(verdict.feedback).not.toContain('network');
    expect(scope.warnings).toEqual(['Completion checker judge failed: no network']);
  });
});
