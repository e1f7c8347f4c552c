import type { JsonSchema } from 'toolwright';
import { describeSchema, describeRules, addDescription } from '../../../src/schema/lowering/describeSchema';

describe('a rule as text', () => {
  test.each<[JsonSchema, string]>([
    [{ minLength: 1 }, 'at least 1 character'],
    [{ minLength: 2 }, 'at least 2 characters'],
    [{ maxLength: 200 }, 'at most 200 characters'],
    [{ maxLength: 4, minLength: 2 }, '2 to 4 characters'],
    [{ minLength: 3, maxLength: 3 }, 'exactly 3 characters'],
    [{ minimum: 1 }, 'at least 1'],
    [{ minimum: 1, maximum: 5 }, '1 to 5'],
    [{ maximum: 0 }, 'at most 0'],
    [{ exclusiveMinimum: 0 }, 'more than 0'],
    [{ exclusiveMaximum: 0 }, 'less than 0'],
    [{ multipleOf: 5 }, 'a multiple of 5'],
    [{ minItems: 1 }, 'at least 1 item'],
    [{ minItems: 2, maxItems: 2 }, 'exactly 2 items'],
    [{ minProperties: 1, maxProperties: 2 }, '1 to 2 properties'],
    [{ maxProperties: 1 }, 'at most 1 property'],
    [{ uniqueItems: true }, 'no item twice'],
    [{ pattern: '^#\\d+$' }, 'matching the regular expression ^#\\d+$'],
    [{ format: 'uri' }, 'a URL'],
    [{ format: 'time' }, 'a time as HH:MM:SS with its offset'],
    [{ format: 'toString' }, 'in the format toString'],
    [{ enum: ['a', 1, null] }, 'one of "a", 1, null'],
    [{ const: 'a' }, 'exactly "a"'],
    [{ default: 'C' }, 'default: C'],
    [{ default: 'New York' }, 'default: New York'],
    [{ default: 5 }, 'default: 5'],
    [{ default: [] }, 'default: []'],
    [{ examples: ['a', 5] }, 'for example a or 5'],
    [{ allOf: [{ pattern: '^a' }, { minLength: 2 }] }, 'matching the regular expression ^a, at least 2 characters'],
    [{ propertyNames: { enum: ['a'] } }, 'names of properties one of "a"'],
    [{ dependentRequired: { a: ['b', 'c'] } }, 'a only together with b and c'],
    [{ contentEncoding: 'base64' }, 'encoded as base64'],
    [{ required: true }, 'required'],
    [{ not: { const: 1 } }, 'not: {"const":1}'],
    [{ $ref: 'https://example.org/a.json' }, 'as defined by https://example.org/a.json'],
  ])('describeRules writes %j as text', (told, text) => {
    expect(describeRules(told).join(', ')).toBe(text);
  });

  // A model would misread the bare text.
  test.each(['', ' x', 'null', 'true', '5', 'a"b', 'a, b', '[1]', '-'])(
    'a rule as text keeps the quotes of the default %j',
    (value) => {
      expect(describeRules({ default: value })).toEqual([`default: ${JSON.stringify(value)}`]);
    },
  );

  test.each([[{ uniqueItems: false }], [{ prefixItems: [] }], [{ allOf: [] }], [{ dependentRequired: {} }]])(
    'a rule %j has no text',
    (told) => {
      expect(describeRules(told)).toEqual([]);
    },
  );

  test('rules are in the order of reading, not of writing', () => {
    expect(describeRules({ default: 'a', 'x-new': 1, pattern: '^a', maxLength: 5, format: 'email' })).toEqual([
      'an e-mail address',
      'matching the regular expression ^a',
      'at most 5 characters',
      'default: a',
      'x-new: 1',
    ]);
  });
});

describe('the items of a tuple', () => {
  test.each<[JsonSchema, string]>([
    [{ type: 'integer' }, 'a whole number'],
    [{ type: ['string', 'null'] }, 'a string or null'],
    [{ type: 'string', format: 'date-time' }, 'an ISO 8601 date and time'],
    [{ type: 'array' }, 'a list'],
    [{ enum: ['a', 'b'] }, 'one of "a", "b"'],
    [{ const: 1 }, '1'],
    [{ $ref: '#/$defs/Money' }, 'an object (Money)'],
    [{ anyOf: [{ type: 'boolean' }, { type: 'object' }] }, 'true or false or an object'],
    [{}, 'any value'],
  ])('describeRules writes the item %j of a tuple as text', (item, text) => {
    expect(describeRules({ prefixItems: [item, { type: 'null' }] })).toEqual([`in this order: ${text}, null`]);
  });
});

describe('a description with rules', () => {
  test.each<[unknown, readonly string[], string | undefined]>([
    ['Name', ['at most 5 characters'], 'Name (at most 5 characters)'],
    ['The name.', ['at most 5 characters', 'default: x'], 'The name. At most 5 characters, default: x.'],
    ['Which?', ['default: x'], 'Which? Default: x.'],
    [undefined, ['at least 1'], 'At least 1'],
    ['  ', ['at least 1'], 'At least 1'],
    ['Name', [], 'Name'],
    [undefined, [], undefined],
  ])('describeSchema joins the description %j and the rules %j', (description, phrases, text) => {
    expect(describeSchema(description, phrases)).toBe(text);
  });

  test('the description is put around a reference, which has no siblings', () => {
    expect(addDescription({ $ref: '#/$defs/A' }, { default: 1 })).toEqual({
      anyOf: [{ $ref: '#/$defs/A' }],
      description: 'Default: 1',
    });
    expect(addDescription({ type: 'string' }, { default: 1 })).toEqual({ type: 'string', description: 'Default: 1' });
    const schema = { type: 'string', description: 'Name' };
    expect(addDescription(schema, {})).toBe(schema);
  });
});
