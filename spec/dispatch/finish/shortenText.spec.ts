import fc from 'fast-check';
import { shortenJson, shortenPlain, shortenText } from '../../../src/dispatch/finish/shortenText';
import { createSerialiser } from '../../../src/schema/write/createSerialiser';

const NOTICE = /\n\n\[Shortened: (\d+) characters in all\..*\]$/;

describe('shortenText', () => {
  test('a text within the limit is unchanged', () => {
    expect(shortenText('12345', 5)).toBe('12345');
  });

  test('shortenText cuts a longer one and says how long it was', () => {
    const text = shortenText('x'.repeat(1_000), 100);
    expect(text.replace(NOTICE, '')).toBe('x'.repeat(100));
    expect(NOTICE.exec(text)?.[1]).toBe('1000');
  });

  test('shortenText cuts no character in half', () => {
    expect(shortenText('😀'.repeat(100), 7).replace(NOTICE, '')).toBe('😀😀😀');
  });
});

describe('shortenJson', () => {
  const parsed = (json: string): unknown => JSON.parse(json.replace(NOTICE, ''));

  test('JSON within the limit is unchanged', () => {
    expect(shortenJson('{"a":1}', 7)).toBe('{"a":1}');
  });

  test('a long list ends early and says how many items are missing', () => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({ index }));
    const short = parsed(shortenJson(JSON.stringify(items), 500)) as readonly unknown[];
    expect(short.slice(0, 3)).toEqual(items.slice(0, 3));
    expect(short.at(-1)).toBe(`… ${String(1_001 - short.length)} more items`);
  });

  test('a long string is cut in place; short neighbours stay whole', () => {
    const short = parsed(shortenJson(JSON.stringify({ id: 7, text: 'x'.repeat(10_000), last: 'end' }), 500));
    expect(short).toEqual({ id: 7, text: expect.stringMatching(/^x+… \(10000 characters\)$/) as string, last: 'end' });
  });

  test('an object with many keys ends early and says how many are missing', () => {
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${String(index)}`, index]));
    expect(parsed(shortenJson(JSON.stringify(wide), 400))).toMatchObject({
      key0: 0,
      '…': expect.stringMatching(/^\d+ more keys$/) as string,
    });
  });

  const long = fc.string({ minLength: 60, maxLength: 200, unit: fc.constantFrom('x', '"', '\\n', 'é', '😀') });
  const sizes = { minLength: 30, maxLength: 60 };
  test.each<[what: string, values: fc.Arbitrary<unknown>]>([
    ['of small entries', fc.array(fc.integer(), { minLength: 400, maxLength: 600 })],
    ['of long texts', fc.array(long, sizes)],
    ['of pairs', fc.array(fc.record({ id: fc.nat(), text: long }), sizes)],
    ['of lists', fc.array(fc.array(long, { minLength: 5, maxLength: 9 }), sizes)],
  ])('a list %s is no longer than its limit, and takes most of it', (_what, values) => {
    fc.assert(
      fc.property(values, fc.integer({ min: 300, max: 2_000 }), (list, limit) => {
        const { length } = shortenJson(JSON.stringify(list), limit).replace(NOTICE, '');
        expect(length).toBeLessThanOrEqual(limit);
        expect(length).toBeGreaterThan(limit / 2);
      }),
    );
  });

  test('an object with long keys and long values is hardly longer than its limit', () => {
    fc.assert(
      fc.property(
        fc.dictionary(long, long, { minKeys: 20, maxKeys: 30 }),
        fc.integer({ min: 300, max: 2_000 }),
        (given, limit) => {
          const short = shortenJson(JSON.stringify(given), limit).replace(NOTICE, '');
          // What says how long the last value was.
          expect(short.length).toBeLessThan(limit + 40);
          expect(Object.keys(JSON.parse(short) as object)).not.toHaveLength(0);
        },
      ),
    );
  });

  test('one text takes the whole of its limit, but for what says how long it was', () => {
    expect(shortenJson(JSON.stringify('x'.repeat(1_000)), 200).replace(NOTICE, '')).toBe(
      `"${'x'.repeat(160)}… (1000 characters)"`,
    );
    expect(shortenJson(JSON.stringify(['x'.repeat(1_000), 1]), 200).replace(NOTICE, '')).toBe(
      `["${'x'.repeat(40)}… (1000 characters)",1]`,
    );
  });

  test('an entry that just fits its share stays whole, and the last entry has all the room that is left', () => {
    const y = 'y'.repeat(1_000);
    // Of the 160 characters for entries, each of two has 80.
    const text = 'x'.repeat(78);
    expect(parsed(shortenJson(JSON.stringify([text, y]), 200))).toEqual([text, expect.any(String)]);
    const list = ['x'.repeat(76)];
    expect(parsed(shortenJson(JSON.stringify([list, y]), 200))).toEqual([list, expect.any(String)]);
    expect(parsed(shortenJson(JSON.stringify([1, y]), 200))).toEqual([1, `${'y'.repeat(118)}… (1000 characters)`]);
  });

  test('escapes count as what they are written as', () => {
    const short = shortenJson(JSON.stringify('"'.repeat(150)), 200).replace(NOTICE, '');
    expect(short.length).toBeLessThanOrEqual(200);
    expect(JSON.parse(short)).toMatch(/^"+… \(150 characters\)$/);
  });

  test('a long key leaves its value less room; a number, a boolean and null stay what they are', () => {
    const keys = ['k', 'l'].map((letter) => letter.repeat(100));
    const texts = Object.fromEntries(keys.map((key) => [key, 'x'.repeat(1_000)]));
    const short = shortenJson(JSON.stringify(texts), 300).replace(NOTICE, '');
    expect(short.length).toBeLessThanOrEqual(300);
    expect(Object.keys(JSON.parse(short) as object)).toEqual(keys);
    // As JSON, the key takes all of the 80 characters that this entry has.
    const key = 'k'.repeat(78);
    for (const value of [7, false, null])
      expect(parsed(shortenJson(JSON.stringify({ [key]: value, text: 'x'.repeat(1_000) }), 200))).toHaveProperty(
        key,
        value,
      );
  });

  test('whatever it is, the outcome is JSON within the limit', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 200, max: 2_000 }), fc.nat(50), (json, limit, copies) => {
        const whole = JSON.stringify(Array.from({ length: copies }, () => JSON.parse(json) as unknown));
        const short = shortenJson(whole, limit).replace(NOTICE, '');
        expect(() => JSON.parse(short) as unknown).not.toThrow();
        if (whole.length <= limit) expect(short).toBe(whole);
        else expect(short.length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 500 },
    );
  });

  test('HAND-16 fifty megabytes take no more than a moment', () => {
    const json = JSON.stringify({ text: 'x'.repeat(50_000_000) });
    const short = shortenJson(json, 100_000);
    expect(short.length).toBeLessThan(101_000);
    expect(short).toContain('50000000 characters');
  });
});

describe('shortenPlain', () => {
  const shortened = (value: unknown, limit: number): string =>
    shortenPlain(createSerialiser('as-is').write(value, limit), limit);

  test('a value within the limit is written as it is', () => {
    expect(shortened({ a: 1 }, 7)).toBe('{"a":1}');
    expect(shortened({ a: 1 }, 6)).toMatch(NOTICE);
  });

  test('TRACE-07 a text with parts that are only counted reads as if the whole had been written', () => {
    const wide = (inner: fc.Arbitrary<unknown>) =>
      fc.oneof(
        fc.array(inner, { minLength: 30, maxLength: 90 }),
        fc.array(inner, { minLength: 30, maxLength: 90 }).map((list) => Object.fromEntries(Object.entries(list))),
      );
    const value = wide(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), wide(fc.boolean())));
    fc.assert(
      fc.property(value, fc.integer({ min: 45, max: 100 }), (given, limit) => {
        expect(shortened(given, limit)).toBe(shortenJson(JSON.stringify(given), limit));
      }),
    );
  });

  test('TRACE-07 no more entries are kept than a text of the limit could hold', () => {
    const items = Array.from({ length: 500 }, (_, index) => index);
    const { plain } = createSerialiser('as-is').write([items, Object.fromEntries(items.entries())], 100);
    const [list, object] = plain as readonly [readonly unknown[], object];
    expect([list.length, Object.keys(object).length]).toEqual([101, 101]);
    expect([list.at(-1), Object.values(object).at(-1)]).toEqual(['… 400 more items', '400 more keys']);
  });

  test('TRACE-07 a list that is too long even to be counted says so', () => {
    const text = shortened(new Array<unknown>(4_000_000_000), 1_000);
    expect(text).toMatch(
      /^\[(?:null,)+"… 39999998\d\d more items"\]\n\n\[Shortened: more than 2\d{7} characters in all\./,
    );
  });
});
