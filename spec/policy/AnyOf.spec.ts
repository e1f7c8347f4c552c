import { AllOf, AnyOf } from 'toolwright/policies';
import { checkerOf, no, scopeOf, YES } from './checks';

const answer = { text: 'Done.' };

describe('AnyOf', () => {
  test('AnyOf is complete when one of its checkers is; none after it is asked', async () => {
    const [first, second, third] = [checkerOf(no('x')), checkerOf(YES), checkerOf(YES)];
    expect(await new AnyOf(first, second, third).check(answer, scopeOf())).toEqual(YES);
    expect([first.asked(), second.asked(), third.asked()]).toEqual([1, 1, 0]);
  });

  test('AnyOf is complete without any checker: nothing is asked for', async () => {
    expect(await new AnyOf().check(answer, scopeOf())).toEqual(YES);
  });

  test('AnyOf lists what each of them misses when all refuse', async () => {
    const verdict = await new AnyOf(checkerOf(no('x is missing')), checkerOf(no('y is missing'))).check(
      answer,
      scopeOf(),
    );
    expect(verdict).toEqual(no('One of these is enough, and none is met:\n- x is missing\n- y is missing'));
  });

  test('a checker that throws says no, and the others are asked', async () => {
    const broken = checkerOf(new Error('no network'));
    expect(await new AnyOf(broken, checkerOf(YES)).check(answer, scopeOf())).toEqual(YES);
    expect((await new AnyOf(broken).check(answer, scopeOf())).complete).toBe(false);
  });

  test('AnyOf may contain other checkers that combine', async () => {
    const nested = new AnyOf(new AllOf(checkerOf(YES), checkerOf(no('x'))), new AllOf(checkerOf(YES)));
    expect(await nested.check(answer, scopeOf())).toEqual(YES);
  });
});
