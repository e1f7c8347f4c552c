import fc from 'fast-check';
import { isPlain } from '../../../src/schema/pattern/findNestedRepetition';

/** The least of some times, in milliseconds. */
function fastest(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times);
}

describe('patterns that V8 matches in linear time by their form', () => {
  test.each([
    [/^[^@\s]+@[^@\s]+$/, true],
    [/^\d{4}-\d+-\d+$/, true],
    [/^\w+\.\w+\.com$/, true],
    [/^[a-z]+-[A-Z]+$/i, true],
    [/^a{2,5}b\d*$/, true],
    // The next character is one that the part matches itself, too, or is not certain to come.
    [/^.+@.+$/, false],
    [/^[a-z]+x[a-z]+$/, false],
    [/^[a-w]+X[a-w]+$/i, true],
    [/^[a-w]+X[a-x]+$/i, true],
    [/^[a-z]+X[a-z]+$/i, false],
    [/^\w+-?\w+$/, false],
    [/^\w+\w+$/, false],
    [/^\w+[-]\w+$/, false],
    [/^\d+\D+x$/, false],
    [/^a+\nb+$/, false],
    // Not from the beginning on, a group, an alternative, much behind the last part.
    [/\w+@\w+/, false],
    [/^(\w+@)+$/, false],
    [/^a+@b+|c$/, false],
    [/^\d+-\d+abcdefghi$/, false],
    [/^\d+-\d+a{9}$/, false],
    [/^a+?@b+$/, false],
    [/^a+@b+$/m, false],
    [/^a+@b+\$/, true],
  ])('the pattern %p is matched in linear time: %p', (pattern, expected) => {
    expect(isPlain(pattern)).toBe(expected);
  });

  const part = fc
    .tuple(fc.constantFrom('\\d', '\\w', '[^@]', '[a-c]', '.', 'a', '\\s'), fc.constantFrom('+', '*', '?', '{1,9}', ''))
    .map((both) => both.join(''));
  const end = fc.constantFrom('@', '-', 'a', '\\.', ' ');

  test('none of them takes more than linear time, whatever the text repeats', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(part, end), { minLength: 1, maxLength: 4 }),
        part,
        fc.constantFrom('a', '@', 'a@', '-', '1', 'a-', '.', ' a'),
        (parts, last, unit) => {
          const pattern = new RegExp(`^${parts.flat().join('')}${last}$`);
          fc.pre(isPlain(pattern));
          const text = `${unit.repeat(200_000 / unit.length)}\n`;
          // Quadratic time would be minutes.
          expect(fastest(() => pattern.test(text))).toBeLessThan(50);
        },
      ),
      { numRuns: 300 },
    );
  }, 60_000);
});
