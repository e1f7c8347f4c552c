import Ajv from 'ajv';
import { Field, type JsonSchema } from 'toolwright';
import { toStandardSchema } from 'toolwright/schema';
import { writeForDraft } from '../../../src/schema/standard/writeForDraft';

const draft07 = (schema: JsonSchema): JsonSchema => writeForDraft('Schema', schema, { target: 'draft-07' });

describe('writeFor with draft-07', () => {
  test('tuples are lists of items', () => {
    const tuple = {
      type: 'array',
      prefixItems: [{ type: 'string' }, { const: 1 }],
      items: false,
      minItems: 2,
      maxItems: 2,
    };
    expect(draft07(tuple)).toEqual({
      type: 'array',
      items: [{ type: 'string' }, { const: 1 }],
      additionalItems: false,
      minItems: 2,
      maxItems: 2,
    });
  });

  test.each(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'contentSchema'])(
    'a reference below %s leads to the renamed definitions',
    (keyword) => {
      expect(draft07({ [keyword]: { $ref: '#/$defs/A' }, $defs: { A: {} } })).toEqual({
        [keyword]: { $ref: '#/definitions/A' },
        definitions: { A: {} },
      });
    },
  );

  test('definitions have another name, and references have no siblings', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A', description: 'One' }, b: { $ref: '#/$defs/A' }, c: { $ref: '#' } },
      $defs: { A: { type: 'array', items: { $ref: '#/$defs/A' } } },
    };
    expect(draft07(schema)).toEqual({
      type: 'object',
      properties: {
        a: { allOf: [{ $ref: '#/definitions/A' }], description: 'One' },
        b: { $ref: '#/definitions/A' },
        c: { $ref: '#' },
      },
      definitions: { A: { type: 'array', items: { $ref: '#/definitions/A' } } },
    });
  });

  test('properties may have the names of keywords, and data is no schema', () => {
    const schema = {
      properties: { $ref: { type: 'string' }, default: { $ref: '#/$defs/A' }, enum: { enum: [{ $ref: '#/$defs/A' }] } },
      default: { $ref: '#/$defs/A' },
    };
    expect(draft07(schema)).toEqual({
      properties: {
        $ref: { type: 'string' },
        default: { $ref: '#/definitions/A' },
        enum: { enum: [{ $ref: '#/$defs/A' }] },
      },
      default: { $ref: '#/$defs/A' },
    });
  });

  test('a validator of that draft judges as the class does', () => {
    class Node {
      @Field('Name') name!: string;
      @Field({ type: { tuple: [String, Number] }, optional: true }) place?: readonly [string, number];
      @Field({ type: () => [Node], optional: true }) children?: readonly Node[];
      @Field({ type: () => Node, nullable: true, optional: true }) twin?: Node | null;
    }
    const { validate, jsonSchema } = toStandardSchema(Node)['~standard'];
    const check = new Ajv({ strict: false }).compile(jsonSchema.input({ target: 'draft-07' }));
    const cases: readonly unknown[] = [
      { name: 'a' },
      { name: 'a', place: ['x', 1], children: [{ name: 'b', twin: null }] },
      { name: 'a', place: ['x'] },
      { name: 'a', place: ['x', 1, 2] },
      { name: 'a', place: [1, 'x'] },
      { name: 'a', children: [{ nam: 'b' }] },
      { name: 'a', twin: { name: 'b', more: 1 } },
      {},
    ];
    for (const value of cases) expect([value, check(value)]).toEqual([value, validate(value).issues === undefined]);
  });
});
