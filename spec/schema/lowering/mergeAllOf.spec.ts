import type { JsonSchema } from 'toolwright';
import { mergeAllOf } from '../../../src/schema/lowering/mergeAllOf';
import { References } from '../../../src/schema/lowering/References';

const merged = (schema: JsonSchema, $defs: JsonSchema = {}): JsonSchema =>
  mergeAllOf(schema, new References({ ...schema, $defs }));

const a = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const b = { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] };

describe('an allOf', () => {
  test.each<[string, JsonSchema, JsonSchema]>([
    [
      'of two objects is an object with the properties of both',
      { allOf: [a, b] },
      { type: 'object', properties: { ...a.properties, ...b.properties }, required: ['a', 'b'] },
    ],
    ['of one part and words is that part', { allOf: [a], description: 'A' }, { ...a, description: 'A' }],
    ['of true says nothing', { type: 'string', allOf: [true] }, { type: 'string' }],
    ['keeps the tighter lower bound', { minLength: 1, allOf: [{ minLength: 2 }] }, { minLength: 2 }],
    ['keeps the tighter upper bound', { maxItems: 1, allOf: [{ maxItems: 2 }] }, { maxItems: 1 }],
    [
      'keeps the first words',
      { title: 'A', allOf: [{ title: 'B' }, { type: 'string' }] },
      { title: 'A', type: 'string' },
    ],
    ['inside an allOf is merged as well', { allOf: [{ allOf: [a, b] }] }, merged({ allOf: [a, b] })],
    [
      'of closed objects is closed',
      {
        allOf: [
          { ...a, additionalProperties: false },
          { ...b, additionalProperties: {} },
        ],
      },
      { ...merged({ allOf: [a, b] }), additionalProperties: false },
    ],
    [
      'that contradicts its schema stays',
      { type: 'string', allOf: [{ type: 'number' }, { maxLength: 5 }] },
      { type: 'string', maxLength: 5, allOf: [{ type: 'number' }] },
    ],
    [
      'with two types for one property stays',
      { allOf: [a, { properties: { a: { type: 'number' } } }] },
      { ...a, allOf: [{ properties: { a: { type: 'number' } } }] },
    ],
    ['of false stays', { type: 'string', allOf: [false] }, { type: 'string', allOf: [false] }],
  ])('an allOf %s', (_what, schema, expected) => {
    expect(merged(schema)).toEqual(expected);
  });

  test('an allOf follows references, but not round and round', () => {
    const $defs = { A: a, Loop: { properties: { next: { $ref: '#/$defs/Loop' } } } };
    expect(merged({ allOf: [{ $ref: '#/$defs/A' }, b] }, $defs)).toEqual(merged({ allOf: [a, b] }));
    expect(merged({ allOf: [{ $ref: '#/$defs/Loop' }, b] }, $defs)).toEqual({
      ...b,
      allOf: [{ $ref: '#/$defs/Loop' }],
    });
    expect(merged({ allOf: [{ $ref: '#/$defs/Loop' }], description: 'Mine' }, $defs)).toEqual({
      $ref: '#/$defs/Loop',
      description: 'Mine',
    });
    expect(merged({ allOf: [{ $ref: '#/$defs/Nothing' }, b] })).toEqual({ ...b, allOf: [{ $ref: '#/$defs/Nothing' }] });
  });

  test('an allOf may be about properties named like Object’s own', () => {
    const odd = { properties: { ['__proto__']: { type: 'string' }, constructor: { type: 'string' } } };
    expect(Object.keys(merged({ allOf: [odd, a] })['properties'] as object)).toEqual(['__proto__', 'constructor', 'a']);
    expect(merged({ toString: 1, allOf: [{ toString: 2 }, {}] })).toHaveProperty('allOf');
  });
});

test('a schema without allOf is the very same', () => {
  expect(merged(a)).toBe(a);
});
