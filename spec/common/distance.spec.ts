import fc from 'fast-check';
import { distance } from '../../src/common/distance.js';

/** The definition, which takes exponential time. */
function defined(from: string, to: string): number {
  if (from === '' || to === '') return from.length + to.length;
  const [rest, other] = [from.slice(1), to.slice(1)];
  if (to.startsWith(from.charAt(0))) return defined(rest, other);
  return 1 + Math.min(defined(rest, to), defined(from, other), defined(rest, other));
}

describe('distance', () => {
  test.each([
    ['kitten', 'sitting', 3],
    ['get_order', 'get_orders', 1],
    ['order', 'order', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
  ])('of %j and %j is %d', (from, to, expected) => {
    expect(distance(from, to)).toBe(expected);
  });

  test('is what the definition says, for any two short words', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
    fc.assert(
      fc.property(word, word, (from, to) => {
        expect(distance(from, to)).toBe(defined(from, to));
      }),
    );
  });
});
