import type { CompletionChecker, CompletionVerdict } from 'toolwright/policies';
import { askChecker } from '../../src/policy/askChecker';
import { checkerOf, no, scopeOf, YES } from './checks';

const answer = { text: null };

describe('the verdict of a checker', () => {
  test.each([YES, { complete: true, feedback: 'All there.' }, no('x is missing')] as const)(
    'the verdict is the one that the checker returns: %j',
    async (verdict) => {
      const scope = scopeOf();
      expect(await askChecker(checkerOf(verdict), answer, scope)).toBe(verdict);
      expect(scope.warnings).toEqual([]);
    },
  );

  test.each([
    undefined,
    null,
    true,
    'complete',
    {},
    { complete: 'yes' },
    { complete: false },
    no(''),
    no(' \n'),
    no(3 as never),
  ])('the verdict is a refusal in neutral words, and logged, when the checker returns %j', async (given) => {
    const scope = scopeOf();
    const checker = checkerOf(given as CompletionVerdict, 'judge');
    const verdict = await askChecker(checker, answer, scope);
    expect(verdict).toMatchObject({
      complete: false,
      feedback: expect.stringContaining('could not be checked') as unknown,
    });
    expect(scope.warnings).toEqual([expect.stringMatching(/^Completion checker judge failed: it returned /)]);
  });

  test.each([new Error('key 4711 is wrong'), null, 'text'])(
    'a checker that rejects with %p gives a refusal without the cause',
    async (thrown) => {
      const scope = scopeOf();
      const check: CompletionChecker['check'] = async () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- checkers are foreign code
        throw thrown;
      };
      const verdict = await askChecker({ name: 'judge', check }, answer, scope);
      expect(verdict.complete).toBe(false);
      expect(verdict.feedback).not.toContain('4711');
      expect(scope.warnings).toHaveLength(1);
    },
  );
});
