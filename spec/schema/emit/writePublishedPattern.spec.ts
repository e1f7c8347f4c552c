import fc from 'fast-check';
import { writeLiteralPattern, writePublishedPattern } from '../../../src/schema/emit/writePublishedPattern';

describe('the pattern that a schema publishes', () => {
  test.each<[RegExp, string | undefined]>([
    [/^a+$/, '^a+$'],
    [/^a+$/gy, '^a+$'],
    [/^\p{L}+$/u, '^\\p{L}+$'],
    [/a/i, undefined],
    [/^a$/m, undefined],
    [/a.b/s, undefined],
    // Read by code points, a needless backslash is an error: a client that compiles the schema would fail.
    [/^\#\d{2}\-\d$/, '^#\\d{2}-\\d$'],
    [/^[a\-z]\-$/, '^[a\\-z]-$'],
    [/^[\w\-]+\@[\w\.]+$/, '^[\\w\\-]+@[\\w\\.]+$'],
    [/\\\-[\]\-]/, '\\\\-[\\]\\-]'],
    [/^\/\.\*$/, '^\\/\\.\\*$'],
    // Nothing but code units makes sense of these.
    [/[\w-\.]/, undefined],
    [/a{,5}/, undefined],
  ])('a schema publishes the pattern %p as %p', (pattern, published) => {
    expect(writePublishedPattern(pattern)).toBe(published);
  });

  test('the published pattern means the same as the one that is checked', () => {
    const written = /^\#[a\-c]{1,2}\:\-$/;
    const read = new RegExp(writePublishedPattern(written) ?? '', 'u');
    fc.assert(
      fc.property(fc.stringMatching(/^#?[a\-cx]{0,3}:?-?$/), (text) => {
        expect(read.test(text)).toBe(written.test(text));
      }),
    );
  });
});

test('a text as a pattern finds that text and nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, other) => {
      const pattern = new RegExp(writeLiteralPattern(text), 'u');
      expect(pattern.test(text)).toBe(true);
      expect(pattern.test(`x${text}y`)).toBe(true);
      expect(pattern.test(other)).toBe(other.includes(text));
    }),
  );
});
