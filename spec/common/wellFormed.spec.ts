import fc from 'fast-check';
import { ensureWellFormed, ensureWellFormedJson } from '../../src/common/text';

const LONE = '\ud800';

describe('wellFormed', () => {
  test('wellFormed replaces lone halves of surrogate pairs, and nothing else', () => {
    expect(ensureWellFormed(`a${LONE}b\udc00`)).toBe('a\ufffdb\ufffd');
    expect(ensureWellFormed('😀\u0000\u202e\ufeff')).toBe('😀\u0000\u202e\ufeff');
  });
});

describe('wellFormedJson', () => {
  test.each([
    ['"\\ud800"', '\ufffd'],
    ['"\\udc00\\ud800"', '\ufffd\ufffd'],
    ['"\\uD83D\\uDE00"', '😀'],
    ['"\\ud800\\ud83d\\ude00"', '\ufffd😀'],
    ['"\\\\ud800"', '\\ud800'],
    ['"\\\\\\ud800"', '\\\ufffd'],
    [`"${LONE}"`, '\ufffd'],
  ])('ensureWellFormedJson replaces lone surrogates in %s', (json, text) => {
    expect(JSON.parse(ensureWellFormedJson(json))).toBe(text);
  });

  test('any text comes out as it went in, but for lone halves', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.boolean(), (text, escaped) => {
        const json = JSON.stringify({ [text]: text });
        const sent = escaped
          ? json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          : json;
        expect(JSON.parse(ensureWellFormedJson(sent))).toEqual({ [ensureWellFormed(text)]: ensureWellFormed(text) });
      }),
    );
  });
});
