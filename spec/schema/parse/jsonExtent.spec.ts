import fc from 'fast-check';
import { JsonCounter, findTextExcess, countTextValues } from '../../../src/schema/parse/jsonExtent';

const most = { values: 40, depth: 4 };

/** Texts of JSON, and texts that resemble it, in parts. */
const parts = fc
  .oneof(fc.json({ maxDepth: 7 }), fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', ']', '}', 'a') }))
  .chain((text) =>
    fc.array(fc.nat(text.length), { maxLength: 6 }).map((cuts) => {
      const ends = [...cuts, text.length].sort((a, b) => a - b);
      return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
    }),
  );

/** Counts the values of a text one character after the other. */
function valuesOneByOne(text: string): number {
  let [values, isInString, isEscaped] = [1, false, false];
  for (const sign of text) {
    if (isInString) {
      isInString = isEscaped || sign !== '"';
      isEscaped = !isEscaped && sign === '\\';
    } else if (sign === '"') isInString = true;
    else if ('[{,'.includes(sign)) values++;
  }
  return values;
}

describe('counting the values of JSON', () => {
  test('strings are passed over at once, and nothing else is', () => {
    const open = { values: 1_000, depth: 1_000 };
    fc.assert(
      fc.property(parts, (all) => {
        const counter = new JsonCounter(open);
        for (const part of all) counter.add(part);
        expect(counter.values).toBe(valuesOneByOne(all.join('')));
      }),
      { numRuns: 2_000 },
    );
  });

  test('a short text that is not counted would not exceed a limit', () => {
    const lists = fc.nat(40).map((count) => JSON.stringify(Array(count).fill([])));
    const wide = { values: 40, depth: 40 };
    fc.assert(
      fc.property(fc.oneof(lists, fc.json({ maxDepth: 7 })), (text) => {
        expect(findTextExcess(text, wide)).toBe(new JsonCounter(wide).add(text).excess);
      }),
    );
  });

  test('a text in parts has as much as the whole text', () => {
    fc.assert(
      fc.property(parts, (all) => {
        const counter = new JsonCounter(most);
        for (const part of all) counter.add(part);
        const whole = all.join('');
        expect(counter.excess).toBe(new JsonCounter(most).add(whole).excess);
        if (counter.excess === undefined) expect(counter.values).toBe(countTextValues(whole, most));
      }),
      { numRuns: 2_000 },
    );
  });

  test('a text with an excess keeps it, whatever follows', () => {
    const counter = new JsonCounter(most).add('['.repeat(6)).add(']'.repeat(6));
    expect(counter.excess).toBe('depth');
    expect(new JsonCounter(most).add(`[${'1,'.repeat(60)}`).add(']').excess).toBe('values');
  });

  test('brackets count as values, however many levels are allowed', () => {
    expect(findTextExcess('['.repeat(100), { values: 40, depth: Infinity })).toBe('values');
  });

  test('brackets and commas in a string are no values, also after an escaped quote', () => {
    const text = `["${'\\"[{,'.repeat(50)}", 1]`;
    expect([findTextExcess(text, most), countTextValues(text, most)]).toEqual([undefined, 3]);
  });
});
