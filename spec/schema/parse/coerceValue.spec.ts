import { IsEnum } from 'class-validator';
import fc from 'fast-check';
import { Param } from 'toolwright';
import { coerceValue } from '../../../src/schema/parse/coerceValue';
import { instanceOf, kindsOf } from '../reading';

enum Level {
  Low,
  High = 5,
}
class Params {
  @Param({ optional: true }) n?: number;
  @Param({ optional: true, integer: true }) i?: number;
  @Param({ optional: true }) b?: boolean;
  @Param({ optional: true }) s?: string;
  @Param({ optional: true, type: [Number] }) list?: number[];
  @Param({ optional: true, oneOf: [Number, String] }) either?: number | string;
  @Param({ optional: true }) at?: Date;
  @Param({ optional: true, enum: [1, 2.5, true, null] }) literal?: unknown;
  @Param({ optional: true, enum: ['1', 'true', 'b'] }) word?: string;
  @Param({ optional: true, type: [{ enum: [1, 2] }] }) levels?: number[];
  // @ts-expect-error: the compiler sees no rules of class-validator
  @Param({ optional: true }) @IsEnum(Level) level?: Level;
}
const coerce = { coerce: true };

describe('coercion', () => {
  test.each<[keyof Params, unknown, unknown]>([
    ['n', '5', 5],
    ['n', ' -1.5e2 ', -150],
    ['n', '0', 0],
    ['i', '5', 5],
    ['i', '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['b', 'true', true],
    ['b', 'false', false],
    ['s', 5, '5'],
    ['s', true, 'true'],
    ['s', '5', '5'],
    ['list', 5, [5]],
    ['list', '5', [5]],
    ['list', ['1', 2], [1, 2]],
    ['either', '5', 5],
    ['either', 'x', 'x'],
    ['literal', '1', 1],
    ['literal', ' 2.5 ', 2.5],
    ['literal', 'true', true],
    ['word', 1, '1'],
    ['word', true, 'true'],
    ['word', '1', '1'],
    ['levels', ['1', 2], [1, 2]],
    ['levels', '2', [2]],
    ['level', '5', 5],
  ])('coercion accepts for %s the value %j', (key, value, expected) => {
    expect(instanceOf(Params, { [key]: value }, coerce)[key]).toEqual(expected);
    if (value !== expected) {
      const plain = JSON.stringify(value) === JSON.stringify(expected);
      if (!plain && key !== 'either')
        expect(kindsOf(Params, { [key]: value })).toEqual([expect.stringMatching(/^(type|constraint)/)]);
    }
  });

  test.each<[keyof Params, unknown]>([
    ['n', 'five'],
    ['n', ''],
    ['n', ' '],
    ['n', '0x10'],
    ['n', '1e400'],
    ['n', '1e-400'],
    ['n', '0.1234567890123456789'],
    ['n', 'Infinity'],
    ['n', '1,5'],
    ['n', true],
    ['i', '1.5'],
    ['i', '9007199254740993'],
    ['b', 'yes'],
    ['b', 'TRUE'],
    ['b', 1],
    ['b', 0],
    ['s', { a: 1 }],
    ['s', 12345678901234567890],
    ['s', []],
    ['list', { a: 1 }],
    ['list', 'x'],
    ['at', 5],
    ['literal', '3'],
    ['literal', 'false'],
    ['literal', 'null'],
    ['literal', [1]],
    ['word', 2],
    ['word', false],
    ['level', '1'],
    ['level', 'Low'],
  ])('%s refuses %j, which would lose or guess something', (key, value) => {
    expect(kindsOf(Params, { [key]: value }, coerce)).toHaveLength(1);
  });

  test('coercion is off unless it is turned on', () => {
    expect(kindsOf(Params, { n: '5', b: 'true', s: 5, list: 1 })).toEqual(['type n', 'type b', 'type s', 'type list']);
  });

  test('null is left to the rules for null', () => {
    expect(instanceOf(Params, { n: null, list: null, s: null }, coerce)).toEqual({});
  });

  test('coercion never changes a value that is right already', () => {
    fc.assert(
      fc.property(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), (s, n, b) => {
        expect(instanceOf(Params, { s, n, b, list: [n] }, coerce)).toEqual({ s, n, b, list: [n] });
      }),
    );
  });

  test('a number written as text becomes that number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 }), (n) => {
        expect(coerceValue({ kind: 'number' }, String(n))).toBe(Object.is(n, -0) ? 0 : n);
      }),
    );
  });
});
