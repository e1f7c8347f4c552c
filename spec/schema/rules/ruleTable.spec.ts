import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  IsAlpha,
  IsArray,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsISO8601,
  IsNegative,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { Param, type Constructor } from 'toolwright';
import type { TypeReference } from 'toolwright/types';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { listEnumValues } from '../../../src/schema/rules/ruleTable';
import { expectEqual } from '../../support/expectEqual';
import { parse, parserOf, shapeOf } from '../reading';

enum Colour {
  Red = 'red',
  Green = 'green',
}
const text = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('', 'red', 'a@b.ch', 'https://a.ch', '2030-01-01', 'ab'),
);
const number = fc.oneof(
  fc.integer({ min: -6, max: 6 }),
  fc.double({ min: -6, max: 6, noNaN: true }),
  fc.constantFrom(0, -0),
);
const uuid = fc.constantFrom(
  '9b2f1a52-6f0c-4d2c-9d4e-2f6d7f1f0001',
  '9b2f1a52',
  'zb2f1a52-6f0c-4d2c-9d4e-2f6d7f1f0001',
);
const texts = fc.array(fc.string({ maxLength: 3 }), { maxLength: 5 });

// Each rule: its decorator, the type of the property, values of that type, and what the schema says.
type Row = readonly [string, () => PropertyDecorator, TypeReference, fc.Arbitrary<unknown>, object];
const rows: readonly Row[] = [
  ['IsString', () => IsString(), String, text, { type: 'string' }],
  ['IsNumber', () => IsNumber(), Number, number, { type: 'number' }],
  ['IsInt', () => IsInt(), Number, number, { type: 'integer' }],
  ['IsBoolean', () => IsBoolean(), Boolean, fc.boolean(), { type: 'boolean' }],
  ['IsIn', () => IsIn(['ab', 'red']), String, text, { type: 'string', enum: ['ab', 'red'] }],
  ['IsEnum', () => IsEnum(Colour), { enum: Colour }, text, { type: 'string', enum: ['red', 'green'] }],
  ['Min', () => Min(2), Number, number, { type: 'number', minimum: 2 }],
  ['Max', () => Max(2), Number, number, { type: 'number', maximum: 2 }],
  ['IsPositive', () => IsPositive(), Number, number, { type: 'number', exclusiveMinimum: 0 }],
  ['IsNegative', () => IsNegative(), Number, number, { type: 'number', exclusiveMaximum: 0 }],
  ['MinLength', () => MinLength(2), String, text, { type: 'string', minLength: 2 }],
  ['MaxLength', () => MaxLength(2), String, text, { type: 'string', maxLength: 2 }],
  ['Length', () => Length(2, 4), String, text, { type: 'string', minLength: 2, maxLength: 4 }],
  ['Length without end', () => Length(2), String, text, { type: 'string', minLength: 2 }],
  ['IsNotEmpty', () => IsNotEmpty(), String, text, { type: 'string', minLength: 1 }],
  ['Matches', () => Matches(/^[a-m]/), String, text, { type: 'string', pattern: '^[a-m]' }],
  ['Matches with flags', () => Matches(/^[a-m]/i), String, text, { type: 'string' }],
  ['Matches given as text', () => Matches('^[a-m]', 'i'), String, text, { type: 'string' }],
  ['IsEmail', () => IsEmail(), String, text, { type: 'string', format: 'email' }],
  ['IsUrl', () => IsUrl(), String, text, { type: 'string', format: 'uri' }],
  ['IsUUID', () => IsUUID(), String, uuid, { type: 'string', format: 'uuid' }],
  ['IsISO8601', () => IsISO8601(), String, text, { type: 'string', pattern: '^[+-]?[0-9]{4}' }],
  ['IsDateString', () => IsDateString(), String, text, { type: 'string', pattern: '^[+-]?[0-9]{4}' }],
  ['IsAlpha', () => IsAlpha(), String, text, { type: 'string', pattern: '^[A-Za-z]+$' }],
  ['IsArray', () => IsArray(), [String], texts, { type: 'array' }],
  ['IsObject', () => IsObject(), { record: String }, fc.dictionary(fc.string(), fc.string()), { type: 'object' }],
  ['ArrayMinSize', () => ArrayMinSize(2), [String], texts, { type: 'array', minItems: 2 }],
  ['ArrayMaxSize', () => ArrayMaxSize(2), [String], texts, { type: 'array', maxItems: 2 }],
  ['ArrayNotEmpty', () => ArrayNotEmpty(), [String], texts, { type: 'array', minItems: 1 }],
];

/** A class with one property `v` under the decorator. */
function declared(decorate: () => PropertyDecorator, type: TypeReference): Constructor<{ v?: unknown }> {
  class Params {
    declare v: unknown;
  }
  Param({ type })(Params.prototype, 'v');
  decorate()(Params.prototype, 'v');
  return Params;
}

describe('the rules of class-validator', () => {
  test.each(rows)('%s accepts what class-validator accepts, and nothing else', (_name, decorate, type, values) => {
    const Params = declared(decorate, type);
    const parseIt = parserOf(Params);
    let [accepted, refused] = [0, 0];
    fc.assert(
      fc.property(values, (v) => {
        const { ok } = parseIt({ v });
        expectEqual(ok, validateSync(Object.assign(new Params(), { v })).length === 0);
        if (ok) accepted++;
        else refused++;
      }),
      { numRuns: 300, seed: 7 },
    );
    expect(accepted).toBeGreaterThan(0);
    if (!['IsString', 'IsNumber', 'IsBoolean', 'IsArray', 'IsObject'].includes(_name))
      expect(refused).toBeGreaterThan(0);
  });

  test.each(rows)('%s appears in the schema where JSON Schema can say it', (_name, decorate, type, _values, schema) => {
    const { properties } = writeClassSchema(shapeOf(declared(decorate, type))) as { properties: { v: object } };
    expect(properties.v).toMatchObject(schema);
    if (!('items' in properties.v) && !('additionalProperties' in properties.v)) expect(properties.v).toEqual(schema);
  });

  test('rules with each apply to the items', () => {
    class Params {
      @Param({ type: [String] }) @MinLength(2, { each: true }) @Matches(/^a/, { each: true }) tags!: string[];
    }
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({
      properties: { tags: { type: 'array', items: { type: 'string', minLength: 2, pattern: '^a' } } },
    });
    const outcome = parse(Params, { tags: ['ab', 'b', 'bc'] });
    expect(outcome).toMatchObject({
      ok: false,
      issues: expect.arrayContaining([
        expect.objectContaining({ kind: 'constraint', path: 'tags[1]' }),
        expect.objectContaining({ kind: 'constraint', path: 'tags[2]' }),
      ]) as unknown[],
    });
    expect(JSON.stringify(outcome)).not.toContain('tags[0]');
    expect(parse(Params, { tags: [] })).toMatchObject({ ok: true });
  });

  test('rules that say the same twice: the tighter one is in the schema', () => {
    class Params {
      @Param({ min: 3 }) @Min(1) a!: number;
      @Param({ max: 3 }) @Max(9) b!: number;
      @Param('C') @IsNotEmpty() @MinLength(3) c!: string;
      @Param('D') @MinLength(3) @IsNotEmpty() d!: string;
      @Param({ type: [String] }) @IsNotEmpty({ each: true }) @MinLength(3, { each: true }) e!: string[];
    }
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({
      properties: {
        a: { minimum: 3 },
        b: { maximum: 3 },
        c: { minLength: 3 },
        d: { minLength: 3 },
        e: { items: { minLength: 3 } },
      },
    });
  });
});

describe('enumValues', () => {
  enum Level {
    Low,
    High = 5,
    Below = -1,
  }
  test('the values of an enum leave out the reverse mapping of numeric enums', () => {
    expect(listEnumValues(Level)).toEqual([0, 5, -1]);
    expect(listEnumValues(Colour)).toEqual(['red', 'green']);
  });
  test('enumValues copies a list', () => {
    const list = ['a', 1, null];
    expect(listEnumValues(list)).toEqual(list);
    expect(listEnumValues(list)).not.toBe(list);
  });
});

test.each(['', 'g', 'y', 'gy', 'u', 'gu'])('a pattern with the flags %j keeps no state between two texts', (flags) => {
  class Params {
    @Param({ pattern: new RegExp('^ab', flags) }) a!: string;
  }
  expect([1, 2, 3].map(() => parse(Params, { a: 'abc' }).ok)).toEqual([true, true, true]);
  expect(parse(Params, { a: 'bab' }).ok).toBe(false);
});

test('the length of a text is counted as class-validator counts it', () => {
  class Params {
    @Param('A') @MinLength(2) @MaxLength(4) a!: string;
  }
  const parseIt = parserOf(Params);
  const parts = fc.constantFrom('a', 'é', '😀', '\ufe0f', '\ud83d', '\ude00', '👨‍👩‍👧');
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 5 }), (all) => {
      const a = all.join('');
      expectEqual(parseIt({ a }).ok, validateSync(Object.assign(new Params(), { a })).length === 0);
    }),
    { numRuns: 1_000 },
  );
});
