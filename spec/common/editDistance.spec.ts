import fc from 'fast-check';
import { editDistance } from '../../src/common/text.js';

/** The definition, which takes exponential time. */
function byDefinition(from: string, to: string): number {
  if (from === '' || to === '') return from.length + to.length;
  const rest = byDefinition(from.slice(1), to.slice(1));
  if (to.startsWith(from.charAt(0))) return rest;
  return 1 + Math.min(rest, byDefinition(from.slice(1), to), byDefinition(from, to.slice(1)));
}

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['same', 'same', 0],
  ['kitten', 'sitting', 3],
  ['get_ordr', 'get_order', 1],
  ['ab', 'ba', 2],
  ['flaw', 'lawn', 2],
])('the distance between %j and %j is %i', (from, to, expected) => {
  expect(editDistance(from, to)).toBe(expected);
});

test('the distance between short texts follows from the definition', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(fc.property(text, text, (from, to) => editDistance(from, to) === byDefinition(from, to)));
});
