import { SchemaPatterns } from '../../src/client/SchemaPatterns';

const END = 'y'.repeat(698);
/** To compile it takes more than a budget. */
const LONG = `x+${END}`;

const fitting = (patterns: SchemaPatterns, pattern: string, texts: readonly string[]): readonly boolean[] =>
  texts.map((text) => patterns.matches(pattern, text));

describe('the patterns of a schema', () => {
  test('a pattern that takes a budget to compile holds for every text of that check, and is matched in the next', () => {
    const patterns = new SchemaPatterns();
    expect(patterns.matches(LONG, 'z')).toBe(true);
    patterns.renew();
    expect(fitting(patterns, LONG, [`xx${END}`, 'z'])).toEqual([true, false]);
  });

  test('a pattern for which nothing is left is neither compiled nor matched', () => {
    const patterns = new SchemaPatterns();
    patterns.matches(LONG, 'z');
    expect(patterns.matches('a+b', 'z')).toBe(true);
    patterns.renew();
    expect(fitting(patterns, 'a+b', ['aab', 'z'])).toEqual([true, false]);
  });

  test('a text that takes more than a budget fits', () => {
    expect(fitting(new SchemaPatterns(), 'a+b', ['z', 'z'.repeat(100_000), 'z'])).toEqual([false, true, false]);
  });

  test.each(['(a)\\1', '(', 'a+b'.repeat(400)])(
    'a pattern that is not matched in linear time, not valid or too long holds for every text: %.10s',
    (pattern) => {
      expect(fitting(new SchemaPatterns(), pattern, ['aa', 'z'])).toEqual([true, true]);
    },
  );

  test('a plain pattern needs no budget', () => {
    const patterns = new SchemaPatterns();
    patterns.matches(LONG, 'z');
    expect(fitting(patterns, '^a$', ['a', 'z'])).toEqual([true, false]);
  });
});
