import fc from 'fast-check';
import * as cl100kBase from 'gpt-tokenizer/encoding/cl100k_base';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { gptTokens } from '@toolwright/openai/tokens';

const asText = { disallowedSpecial: new Set<string>() };
const tokens = gptTokens();

describe('gptTokens', () => {
  test('gptTokens counts as the encoding does, o200k_base unless another is given', () => {
    const text = 'Look an order up before you change it: {"order_id":"#W0000001"}. Überweisung, 退款, 👩‍🚀.';
    expect(tokens(text)).toBe(encode(text).length);
    expect(tokens('')).toBe(0);
    expect(gptTokens(cl100kBase)(text)).toBe(cl100kBase.encode(text).length);
    expect(gptTokens(cl100kBase)(text)).not.toBe(tokens(text));
  });

  test('gptTokens is exact for ordinary text, however long', () => {
    const prose = "The desk looks every order up, doesn't it? It says what “it” has found: 3 orders.\n".repeat(200);
    expect(tokens(prose)).toBe(encode(prose).length);
    const word = fc.oneof(
      fc.constantFrom(
        'order',
        "don't",
        'getOrder',
        'W0000001',
        '退款',
        'привет',
        '```json\n',
        '\r\n\r\n',
        '  - ',
        '👍',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    const gap = fc.constantFrom(' ', '\n', ', ', ' "', '');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, gap), { maxLength: 400 }), (words) => {
        const text = words.flat().join('').slice(0, 3_000);
        // Where there is no place to cut at, it is cut all the same, at most once in 500 characters.
        expect(Math.abs(tokens(text) - encode(text, asText).length)).toBeLessThanOrEqual(text.length / 250);
      }),
      { numRuns: 50 },
    );
  });

  test('special tokens in a text are counted as text', () => {
    expect(tokens('<|endoftext|>')).toBeGreaterThan(1);
    expect(tokens('\ud800 alone')).toBeGreaterThan(0);
  });

  test('a long run of letters takes time by its length, not by its square', () => {
    // Uncut, the encoder needs more than a minute.
    expect(tokens('你好'.repeat(50_000))).toBeGreaterThan(10_000);
    expect(tokens('a'.repeat(100_000))).toBeGreaterThan(10_000);
  });
});
