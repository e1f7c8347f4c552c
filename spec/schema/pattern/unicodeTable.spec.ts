import { matchedBy } from '../../../src/schema/pattern/unicodeTable';

describe('matchedBy', () => {
  test.each([
    ['\\p{L}', 'u'],
    ['\\p{Lu}', 'iu'],
    ['\\P{ASCII}', 'u'],
    ['\\p{Script=Gothic}', 'u'],
    ['[^\\p{L}--[a-z]]', 'v'],
    ['[\\u{e0}-\\u{ff}]', 'iu'],
    ['[\\u{1f600}-\\u{1f64f}]', 'u'],
    ['\\p{Any}', 'u'],
  ])('%s with flags %s is what the engine matches', (source, flags) => {
    const ranges = matchedBy(source, flags);
    const pattern = new RegExp(`^${source}$`, flags);
    const wrong: number[] = [];
    for (let code = 0; code <= 0x1ffff; code++) {
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      const isIn = ranges.some(([from, to]) => from <= code && code <= to);
      if (!isSurrogate && isIn !== pattern.test(String.fromCodePoint(code))) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });

  test.each([
    ['\\p{Script=Han}', 0x2a700, true],
    ['\\p{Script=Han}', 0x30000, true],
    ['\\p{Script=Greek}', 0x2a700, false],
    ['\\p{Co}', 0x10fff0, true],
    ['\\p{L}', 0x10fff0, false],
  ])('above that, one character speaks for its planes: %s, %d', (source, code, isMatched) => {
    expect(matchedBy(source, 'u').some(([from, to]) => from <= code && code <= to)).toBe(isMatched);
  });

  test('asks the engine once', () => {
    expect(matchedBy('\\p{Nd}', 'u')).toBe(matchedBy('\\p{Nd}', 'u'));
    expect(matchedBy('\\p{Lu}', 'iu')).not.toEqual(matchedBy('\\p{Lu}', 'u'));
  });
});
