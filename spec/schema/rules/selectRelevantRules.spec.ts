import {
  ArrayContains,
  ArrayMinSize,
  ArrayUnique,
  IsDefined,
  IsEnum,
  IsFQDN,
  IsIP,
  IsLatitude,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNotIn,
  MinLength,
  NotContains,
} from 'class-validator';
import { Param, type JsonSchema } from 'toolwright';
import type { TypeReference } from 'toolwright/types';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { instanceOf, kindsOf, shapeOf } from '../reading';

class Item {
  @Param('Pieces') qty = 1;
}

/** The schema of a property of a type under decorators. */
function schemaUnder(type: TypeReference, ...decorators: readonly PropertyDecorator[]): JsonSchema {
  class Params {
    declare v: unknown;
  }
  Param({ type })(Params.prototype, 'v');
  for (const decorate of decorators) decorate(Params.prototype, 'v');
  return (writeClassSchema(shapeOf(Params)) as { properties: { v: JsonSchema } }).properties.v;
}

describe('a rule says in the schema only what holds for the type', () => {
  const date = { type: 'string', format: 'date-time', description: 'ISO 8601; UTC without a zone.' };

  test.each<[string, TypeReference, PropertyDecorator, JsonSchema]>([
    ['@IsNotEmpty on a text', String, IsNotEmpty(), { type: 'string', minLength: 1 }],
    ['@IsNotEmpty on a number', Number, IsNotEmpty(), { type: 'number' }],
    ['@IsNotEmpty on a boolean', Boolean, IsNotEmpty(), { type: 'boolean' }],
    ['@IsNotEmpty on a date', Date, IsNotEmpty(), date],
    ['@IsNotEmpty on a list', [String], IsNotEmpty(), { type: 'array', items: { type: 'string' } }],
    [
      '@IsNotEmpty on a map',
      { record: String },
      IsNotEmpty(),
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    ['@IsNotEmpty on an enum of numbers', { enum: [1, 2] }, IsNotEmpty(), { type: 'number', enum: [1, 2] }],
    ['@IsNotEmpty on anything', 'any', IsNotEmpty(), { minLength: 1 }],
    ['@IsLatitude on a number', Number, IsLatitude(), { type: 'number', minimum: -90, maximum: 90 }],
    [
      '@ArrayUnique on numbers',
      [Number],
      ArrayUnique(),
      { type: 'array', items: { type: 'number' }, uniqueItems: true },
    ],
    [
      '@ArrayUnique on lists',
      [[Number]],
      ArrayUnique(),
      { type: 'array', items: { type: 'array', items: { type: 'number' } } },
    ],
    ['@ArrayMinSize on a union', { oneOf: [[Number], String] }, ArrayMinSize(1), { minItems: 1 }],
    ['@NotContains on a number', Number, NotContains('a'), { type: 'number' }],
    ['@ArrayContains on a text', String, ArrayContains(['a']), { type: 'string' }],
    ['@IsNotIn on a date, which is compared with a text', Date, IsNotIn(['2030-01-01']), date],
    ['@IsFQDN', String, IsFQDN(), { type: 'string', format: 'hostname' }],
    ['@IsFQDN with underscores', String, IsFQDN({ allow_underscores: true }), { type: 'string' }],
    ['@IsFQDN with a wildcard', String, IsFQDN({ allow_wildcard: true }), { type: 'string' }],
    ['@IsFQDN with a dot at the end', String, IsFQDN({ allow_trailing_dot: true }), { type: 'string' }],
    ['@IsFQDN of any length', String, IsFQDN({ ignore_max_length: true }), { type: 'string' }],
    ['a rule for each item of what is no list', String, MinLength(2, { each: true }), { type: 'string', minLength: 2 }],
    ['a rule for each item of what may be a list', 'any', MinLength(2, { each: true }), {}],
    [
      'a rule for each item of a tuple',
      { tuple: [String] },
      MinLength(2, { each: true }),
      { type: 'array', prefixItems: [{ type: 'string' }], items: false, minItems: 1, maxItems: 1 },
    ],
  ])('the schema keeps only rules that hold for the type: %s', (_what, type, decorate, expected) => {
    const { anyOf: _anyOf, ...schema } = schemaUnder(type, decorate);
    expect(schema).toEqual(expected);
  });

  test('@IsNotEmptyObject on a class, whose instance has defaults that were not sent', () => {
    expect(schemaUnder(Item, IsNotEmptyObject())).not.toHaveProperty('minProperties');
    expect(schemaUnder({ record: Number }, IsNotEmptyObject())).toHaveProperty('minProperties', 1);
  });

  test('@ArrayUnique on classes, whose instances are never the same', () => {
    class Params {
      @Param({ type: [Item] }) @ArrayUnique() items!: Item[];
    }
    expect(JSON.stringify(writeClassSchema(shapeOf(Params)))).not.toContain('uniqueItems');
    expect(instanceOf(Params, { items: [{ qty: 1 }, { qty: 1 }] }).items).toHaveLength(2);
  });

  test('several rules of one keyword all hold', () => {
    expect(schemaUnder(String, NotContains('a'), NotContains('b'), IsIP())).toMatchObject({
      not: { pattern: expect.stringMatching(/^[ab]$/) as string },
      allOf: [{ not: { pattern: expect.stringMatching(/^[ab]$/) as string } }],
      pattern: expect.any(String) as string,
    });
  });
});

describe('a rule that the type implies', () => {
  enum Colour {
    Red = 'red',
  }

  test('a rule that the type implies is left out', () => {
    class Params {
      @Param('C') @IsEnum(Colour) @IsDefined() c!: Colour;
      @Param({ enum: ['red', 'blue'] }) @IsEnum(Colour) d!: string;
    }
    expect(shapeOf(Params).fields.map(({ checks }) => checks.map(({ name }) => name))).toEqual([[], ['isEnum']]);
    expect(kindsOf(Params, { c: 'x', d: 'blue' })).toEqual(['constraint c', 'constraint d']);
  });

  test('a rule that the type implies stays where it applies only at times', () => {
    class Params {
      @Param('S') isStrict!: boolean;
      @Param({ enum: Colour }) @IsEnum(Colour, { validateIf: ({ isStrict }: Params) => isStrict }) c!: Colour;
    }
    expect(shapeOf(Params).fields.map(({ checks }) => checks.map(({ name }) => name))).toEqual([[], ['isEnum']]);
    expect(instanceOf(Params, { isStrict: true, c: 'red' })).toEqual({ isStrict: true, c: 'red' });
    expect(kindsOf(Params, { isStrict: false, c: 'x' })).toEqual(['constraint c']);
  });

  test('a rule that the type implies stays where the type may be null', () => {
    class Params {
      @Param({ type: 'any' }) @IsDefined() a!: unknown;
      @Param({ type: 'any' }) @IsNotEmpty() b!: unknown;
    }
    expect(kindsOf(Params, { a: null, b: null })).toEqual(['constraint a', 'constraint b']);
    expect(instanceOf(Params, { a: 0, b: false })).toEqual({ a: 0, b: false });
  });
});
