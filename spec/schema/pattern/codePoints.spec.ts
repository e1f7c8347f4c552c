import fc from 'fast-check';
import {
  complement,
  DIGITS,
  EVERYTHING,
  intersection,
  LINE_ENDS,
  overlaps,
  SPACE,
  union,
  WORD,
  type CodePoints,
} from '../../../src/schema/pattern/codePoints';

const LAST = 0x10ffff;

/** Ranges near both ends, so that they touch and overlap often. */
const edge = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: LAST - 30, max: LAST }));
const range = fc.tuple(edge, edge).map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
const sets = fc.array(range, { maxLength: 5 }).map((ranges) => union(ranges.map((only) => [only])));

function has(set: CodePoints, code: number): boolean {
  return set.some(([from, to]) => from <= code && code <= to);
}

const property = (holds: (one: CodePoints, other: CodePoints, code: number) => void) =>
  fc.assert(fc.property(sets, sets, edge, holds), { numRuns: 1_000 });

describe('sets of code points', () => {
  test('a union has what either has, in ranges that are sorted and apart', () => {
    property((one, other, code) => {
      const both = union([one, other]);
      expect(has(both, code)).toBe(has(one, code) || has(other, code));
      both.forEach(([from, to], index) => {
        expect(to).toBeGreaterThanOrEqual(from);
        expect(from).toBeGreaterThan((both[index - 1]?.[1] ?? -2) + 1);
      });
    });
  });

  test('a complement has what the set has not', () => {
    property((set, _other, code) => {
      expect(has(complement(set), code)).toBe(!has(set, code));
      expect(complement(complement(set))).toEqual(set);
    });
    expect(complement([])).toEqual(EVERYTHING);
    expect(complement(EVERYTHING)).toEqual([]);
  });

  test('an intersection has what both have, and sets overlap when it is not empty', () => {
    property((one, other, code) => {
      expect(has(intersection(one, other), code)).toBe(has(one, code) && has(other, code));
      expect(overlaps(one, other)).toBe(intersection(one, other).length > 0);
    });
  });

  test.each([
    ['\\d', DIGITS],
    ['\\w', WORD],
    ['\\s', SPACE],
    ['[^.]', LINE_ENDS],
  ])('%s is what the engine has', (source, set) => {
    const pattern = new RegExp(source === '[^.]' ? '^[^]$(?<!.)' : `^${source}$`);
    for (let code = 0; code <= 0xffff; code++) {
      if (pattern.test(String.fromCharCode(code)) !== has(set, code)) expect(code).toBe(source);
    }
  });
});
