import { IsPositive } from 'class-validator';
import { type JsonSchema, Param, type ParamOptions } from 'toolwright';
import type { SchemaTarget } from 'toolwright/adapters';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { lowerSchema, type LoweredSchema } from '../../../src/schema/lowering/lowerSchema';
import { shapeOf } from '../reading';

/** The schema of a class with one property for a target. */
function lowered(options: ParamOptions, target: SchemaTarget, strict: boolean, ...rules: PropertyDecorator[]) {
  class Params {
    declare v: unknown;
  }
  Param(options)(Params.prototype, 'v');
  for (const rule of rules) rule(Params.prototype, 'v');
  return lowerSchema(writeClassSchema(shapeOf(Params)), target, { strict });
}

const property = ({ schema }: LoweredSchema): unknown =>
  (schema['properties'] as Readonly<Record<string, unknown>>)['v'];
const required = ({ schema }: LoweredSchema): unknown => schema['required'];

class Money {
  @Param('Amount') amount!: number;
}

describe('OpenAI, strictly', () => {
  test.each<[string, ParamOptions, JsonSchema]>([
    ['an optional text', { type: String, optional: true }, { type: ['string', 'null'] }],
    ['a default', { type: String, default: 'C' }, { type: ['string', 'null'], description: 'Default: C' }],
    ['a nullable', { type: String, nullable: true }, { type: ['string', 'null'] }],
    [
      'lengths',
      { type: String, minLength: 2, maxLength: 4, description: 'Name' },
      { type: 'string', description: 'Name (2 to 4 characters)' },
    ],
    ['a pattern', { type: String, pattern: /^a/ }, { type: 'string', pattern: '^a' }],
    [
      'a pattern that looks around',
      { type: String, pattern: /^(?!a)/, description: 'Name.' },
      { type: 'string', description: 'Name. Matching the regular expression ^(?!a).' },
    ],
    ['a known format', { type: String, format: 'email' }, { type: 'string', format: 'email' }],
    ['another format', { type: String, format: 'uri' }, { type: 'string', description: 'A URL' }],
    ['bounds', { type: 'integer', min: 1, max: 5 }, { type: 'integer', minimum: 1, maximum: 5 }],
    [
      'a list',
      { type: [String], minItems: 2, maxItems: 3 },
      { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 },
    ],
    [
      'a tuple of one type',
      { type: { tuple: [Number, Number] } },
      { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
    ],
    [
      'a tuple of several',
      { type: { tuple: [String, Number, String] }, description: 'Entry' },
      {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        minItems: 3,
        maxItems: 3,
        description: 'Entry (in this order: a string, a number, a string)',
      },
    ],
    ['an enum of several types', { enum: ['a', 1] }, { type: ['string', 'number'], enum: ['a', 1] }],
    [
      'an optional enum',
      { enum: ['a', 1], optional: true },
      { type: ['string', 'number', 'null'], enum: ['a', 1, null] },
    ],
    ['an enum with null', { enum: ['a', null] }, { type: ['string', 'null'], enum: ['a', null] }],
    [
      'an optional union',
      { oneOf: [String, Number], optional: true },
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    ],
    [
      'an optional object',
      { type: Money, optional: true, description: 'Price' },
      {
        type: ['object', 'null'],
        description: 'Price',
        properties: { amount: { type: 'number', description: 'Amount' } },
        required: ['amount'],
        additionalProperties: false,
      },
    ],
  ])('the strict schema for OpenAI expresses %s', (_what, options, expected) => {
    const made = lowered(options, 'openai', true);
    expect(made.strict).toBe(true);
    expect(property(made)).toEqual(expected);
    expect(required(made)).toEqual(['v']);
  });

  test.each<[string, ParamOptions, string]>([
    ['a map', { record: Number }, 'additionalProperties'],
    ['a list of maps', { type: [{ record: Number }] }, 'additionalProperties'],
    ['anything', { type: 'any' }, 'type'],
  ])('strict mode of OpenAI cannot express %s', (_what, options, keyword) => {
    const made = lowered(options, 'openai', true);
    expect(made).toMatchObject({ strict: false, schema: lowered(options, 'json-schema', false).schema });
    expect(made.losses).toMatchObject([{ keyword, became: 'plain' }]);
  });

  test('in strict mode, absence cannot be expressed where null is a value, unless it means null', () => {
    const lossesOf = (options: ParamOptions) => lowered(options, 'openai', true).losses;
    expect(lossesOf({ type: String, nullable: true, optional: true })).toEqual([
      { path: '/properties/v', keyword: 'optional', value: true, became: 'required' },
    ]);
    expect(lossesOf({ type: String, nullable: true, default: null })).toEqual([
      { path: '/properties/v', keyword: 'default', value: null, became: 'dropped' },
    ]);
    expect(lossesOf({ type: String, nullable: true })).toEqual([]);
    expect(lossesOf({ type: String, optional: true })).toEqual([]);
  });
});

describe('Anthropic, strictly', () => {
  test.each<[string, ParamOptions, JsonSchema]>([
    ['an optional text', { type: String, optional: true }, { type: 'string' }],
    [
      'a default',
      { type: String, default: 'C', description: 'Unit' },
      { type: 'string', description: 'Unit (default: C)' },
    ],
    ['a nullable', { type: String, nullable: true }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [
      'a nullable with rules',
      { type: String, nullable: true, format: 'uri', maxLength: 9, description: 'Link' },
      {
        anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }],
        description: 'Link (at most 9 characters)',
      },
    ],
    [
      'a pattern',
      { type: String, pattern: /^a/ },
      { type: 'string', description: 'Matching the regular expression ^a' },
    ],
    ['bounds', { type: 'integer', min: 1, max: 5 }, { type: 'integer', description: '1 to 5' }],
    [
      'a list that is not empty',
      { type: [String], minItems: 1 },
      { type: 'array', items: { type: 'string' }, minItems: 1 },
    ],
    [
      'a longer list',
      { type: [String], minItems: 2 },
      { type: 'array', items: { type: 'string' }, description: 'At least 2 items' },
    ],
    [
      'a tuple',
      { type: { tuple: [String, Number] } },
      {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        description: 'Exactly 2 items, in this order: a string, a number',
      },
    ],
    [
      'an enum of several types',
      { enum: ['a', 1, null, true] },
      {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'number', enum: [1] },
          { type: 'null' },
          { type: 'boolean', enum: [true] },
        ],
      },
    ],
  ])('the strict schema for Anthropic expresses %s', (_what, options, expected) => {
    const made = lowered(options, 'anthropic', true);
    expect(made.strict).toBe(true);
    expect(property(made)).toEqual(expected);
  });

  test('optional properties stay optional', () => {
    expect(required(lowered({ type: String, optional: true }, 'anthropic', true))).toBeUndefined();
    expect(required(lowered({ type: String }, 'anthropic', true))).toEqual(['v']);
  });

  test('strict mode of Anthropic cannot express recursion', () => {
    class Node {
      @Param({ type: () => Node, optional: true }) next?: Node;
    }
    const source = writeClassSchema(shapeOf(Node));
    expect(lowerSchema(source, 'anthropic', { strict: true })).toEqual({
      schema: source,
      strict: false,
      losses: [
        { path: '/properties/next', keyword: '$ref', value: '#/$defs/Node', became: 'plain' },
        { path: '/$defs/Node/properties/next', keyword: '$ref', value: '#/$defs/Node', became: 'plain' },
      ],
    });
  });
});

describe('Gemini', () => {
  test.each<[string, ParamOptions, JsonSchema]>([
    ['a nullable', { type: String, nullable: true }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['lengths', { type: String, maxLength: 4 }, { type: 'string', description: 'At most 4 characters' }],
    ['a date', { type: Date }, { type: 'string', format: 'date-time', description: 'ISO 8601; UTC without a zone.' }],
    ['another format', { type: String, format: 'email' }, { type: 'string', description: 'An e-mail address' }],
    ['bounds', { type: 'integer', min: 1 }, { type: 'integer', minimum: 1 }],
    ['a map', { record: Number }, { type: 'object', additionalProperties: { type: 'number' } }],
    [
      'a tuple',
      { type: { tuple: [String, Number] } },
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2, maxItems: 2 },
    ],
    ['an enum of numbers', { enum: [1, 2] }, { type: 'number', enum: [1, 2] }],
    ['an enum of others', { enum: [true] }, { type: 'boolean', description: 'One of true' }],
    ['anything', { type: 'any', description: 'Whatever' }, { description: 'Whatever' }],
  ])('Gemini receives %s', (_what, options, expected) => {
    const made = lowered(options, 'gemini', true);
    expect(made.strict).toBe(false);
    expect(property(made)).toEqual(expected);
  });

  test('Gemini receives the next whole number in place of a bound that excludes one', () => {
    expect(property(lowered({ type: 'integer' }, 'gemini', false, IsPositive()))).toEqual({
      type: 'integer',
      minimum: 1,
    });
    expect(lowered({ type: 'integer' }, 'gemini', false, IsPositive()).losses).toEqual([]);
    expect(property(lowered({ type: Number }, 'gemini', false, IsPositive()))).toEqual({
      type: 'number',
      description: 'More than 0',
    });
  });

  test('Gemini may leave out what contains itself, since it unrolls what is required', () => {
    class Node {
      @Param('Name') name!: string;
      @Param({ type: () => [Node], description: 'Below it' }) below!: Node[];
    }
    const { schema, losses } = lowerSchema(writeClassSchema(shapeOf(Node)), 'gemini');
    expect(schema).toMatchObject({
      required: ['name', 'below'],
      $defs: { Node: { required: ['name'], properties: { below: { description: 'Below it (required)' } } } },
    });
    expect(losses).toEqual([
      { path: '/$defs/Node/properties/below', keyword: 'required', value: true, became: 'description' },
    ]);
  });
});

describe.each([
  ['openai', true],
  ['anthropic', true],
  ['gemini', false],
] as const)('references for %s', (target, strict) => {
  class Params {
    @Param('Net') net!: Money;
    @Param({ type: Money }) gross!: Money;
  }

  test('references have no siblings; a description goes around them', () => {
    expect(lowerSchema(writeClassSchema(shapeOf(Params)), target, { strict })).toMatchObject({
      schema: {
        properties: {
          net: { anyOf: [{ $ref: '#/$defs/Money' }], description: 'Net' },
          gross: { $ref: '#/$defs/Money' },
        },
        $defs: { Money: { type: 'object', additionalProperties: false } },
      },
      losses: [],
    });
  });
});
