import * as fc from 'fast-check';

const SURROGATES = 0xd800;
const BEHIND_SURROGATES = 0xe000;
const GAP = BEHIND_SURROGATES - SURROGATES;

/**
 * The unit of `fc.string({ unit: 'binary' })`, every code point but the surrogates, with the same examples. The library's own
 * makes a table of all of them first, which takes longer than most tests.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - GAP })
  .map((index) => String.fromCodePoint(index < SURROGATES ? index : index + GAP), indexOf);

/** The way back, by which the library finds that a text of its own choice, such as `__proto__`, is one of these units. */
function indexOf(unit: unknown): number {
  const point = typeof unit === 'string' ? unit.codePointAt(0) : undefined;
  if (point === undefined || unit !== String.fromCodePoint(point)) throw new TypeError('no code point');
  if (point >= SURROGATES && point < BEHIND_SURROGATES) throw new TypeError('half of a code point');
  return point < SURROGATES ? point : point - GAP;
}
