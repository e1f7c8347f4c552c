import type { JsonSchema } from 'toolwright';
import { splitTypes } from '../../../src/schema/lowering/splitTypes';

describe('several types, split', () => {
  test.each<[JsonSchema, JsonSchema]>([
    [{ type: ['string', 'null'] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [
      { type: ['string', 'integer'], maxLength: 5, minimum: 1, description: 'Both' },
      {
        anyOf: [
          { type: 'string', maxLength: 5 },
          { type: 'integer', minimum: 1 },
        ],
        description: 'Both',
      },
    ],
    [
      { type: ['integer', 'string', 'null'], enum: ['a', 1, 1.5, null] },
      { anyOf: [{ type: 'integer', enum: [1] }, { type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    // A type of which the enum has no value cannot be meant.
    [
      { type: ['string', 'null'], enum: ['a'], title: 'A' },
      { type: 'string', enum: ['a'], title: 'A' },
    ],
    [{ type: ['string'] }, { type: 'string' }],
    [
      { type: ['object', 'null'], properties: {}, additionalProperties: false, $defs: { A: {} } },
      { anyOf: [{ type: 'object', properties: {}, additionalProperties: false }, { type: 'null' }], $defs: { A: {} } },
    ],
  ])('splitTypes splits %j', (schema, expected) => {
    expect(splitTypes(schema)).toEqual(expected);
  });

  test.each([[{ type: 'string' }], [{}], [{ type: ['string', 'null'], anyOf: [{ minLength: 1 }] }]])(
    '%j is not split',
    (schema) => {
      expect(splitTypes(schema)).toBe(schema);
    },
  );
});
