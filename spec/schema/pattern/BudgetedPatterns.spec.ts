import { BudgetedPatterns } from '../../../src/schema/pattern/BudgetedPatterns';

const END = 'y'.repeat(698);
/** To compile it takes more than a budget. */
const LONG = `x+${END}`;

describe('the patterns of a schema', () => {
  test('a pattern that takes a budget to compile holds for every text of that check, and is matched in the next', () => {
    const patterns = new BudgetedPatterns();
    const { test: matches } = patterns.regExp(LONG, 'u');
    expect(matches('z')).toBe(true);
    patterns.renew();
    expect([`xx${END}`, 'z'].map(matches)).toEqual([true, false]);
  });

  test('a pattern for which nothing is left is neither compiled nor matched', () => {
    const patterns = new BudgetedPatterns();
    const [long, short] = [LONG, 'a+b'].map((source) => patterns.regExp(source, 'u').test);
    long!('z');
    expect(short!('z')).toBe(true);
    patterns.renew();
    expect(['aab', 'z'].map(short!)).toEqual([true, false]);
  });

  test('a text that takes more than a budget fits', () => {
    const { test: matches } = new BudgetedPatterns().regExp('a+b', 'u');
    expect(['z', 'z'.repeat(100_000), 'z'].map(matches)).toEqual([false, true, false]);
  });

  test('a pattern that is not matched in linear time holds for every text', () => {
    const { test: matches } = new BudgetedPatterns().regExp('(a)\\1', 'u');
    expect(['aa', 'z'].map(matches)).toEqual([true, true]);
  });

  test('a plain pattern needs no budget', () => {
    const patterns = new BudgetedPatterns();
    patterns.regExp(LONG, 'u').test('z');
    const plain = patterns.regExp('^a$', 'u');
    expect(['a', 'z'].map((text) => plain.test(text))).toEqual([true, false]);
  });
});
