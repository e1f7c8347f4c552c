import fc from 'fast-check';
import { countLines, readPage } from '../../../src/resource/filesystem/pageLines';

const text = fc.string({ unit: fc.constantFrom('a', '\n', '\n', '\r', '\u2028', '😀') });
/** Each with its own line ending. */
const linesOf = (of: string): readonly string[] => of.split(/(?<=\n)/).filter((line) => line !== '');

test('lines are counted as they are split', () => {
  fc.assert(
    fc.property(text, (of) => expect(countLines(of)).toBe(linesOf(of).length)),
    { numRuns: 1_000 },
  );
});

test('a page is a slice of the lines', () => {
  const number = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(1.5, Infinity, -Infinity, NaN));
  fc.assert(
    fc.property(text, number, number, (of, offset, limit) => {
      const lines = linesOf(of);
      const start = Math.min(Math.max(Math.trunc(offset) || 0, 0), lines.length);
      const end = limit < 0 ? lines.length : Math.min(start + (Math.trunc(limit) || 0), lines.length);
      expect(readPage(of, offset, limit)).toEqual({
        content: lines.slice(start, end).join('').replace(/\n$/, ''),
        totalLines: lines.length,
        offset: start,
        limit: end - start,
        truncated: end < lines.length,
      });
    }),
    { numRuns: 2_000 },
  );
});
