import type { JsonSchema } from 'toolwright';
import { readSchemaShape } from '../../src/builder/readSchemaShape.js';
import { findResultIssues } from '../../src/schema/write/Conformity.js';

const issues = (schema: JsonSchema, value: unknown): readonly string[] =>
  findResultIssues(readSchemaShape(schema), value).map(({ kind, path }) => `${kind} ${path}`);

const order: JsonSchema = {
  type: 'object',
  title: 'Order',
  properties: {
    id: { type: 'string' },
    status: { enum: ['pending', 'delivered'] },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
    note: { type: ['string', 'null'] },
  },
  required: ['id', 'lines', 'note'],
  $defs: {
    line: { type: 'object', properties: { qty: { type: 'integer' } }, required: ['qty'], additionalProperties: false },
  },
};
const tree: JsonSchema = {
  $ref: '#/$defs/node',
  $defs: {
    node: { anyOf: [{ type: 'null' }, { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] }] },
  },
};

describe('shapeOfSchema', () => {
  test.each<[string, JsonSchema, unknown]>([
    ['an object, with more than it names', order, { id: 'a', lines: [{ qty: 1, price: 2 }], note: null, zip: 1 }],
    ['an instance of a class', order, Object.assign(new (class Row {})(), { id: 'a', lines: [], note: 'x' })],
    ['a recursive one', tree, { next: { next: null } }],
    ['a list of itself', { type: 'array', items: { $ref: '#' } }, [[], [[]]]],
    ['a union of nothing but itself', { anyOf: [{ $ref: '#' }] }, 5],
    ['a circle of references', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, 5],
    ['a reference to nowhere', { $ref: '#/$defs/missing' }, 5],
    ['a reference to elsewhere', { $ref: 'https://example.org/schema' }, 5],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 },
      ['a', 1],
    ],
    ['a tuple that may end early', { type: 'array', prefixItems: [{ type: 'string' }], items: false }, []],
    ['an open tuple', { type: 'array', prefixItems: [{ type: 'string' }] }, ['a', 1]],
    ['a record', { type: 'object', additionalProperties: { type: 'number' } }, { a: 1 }],
    ['an object of any kind', { type: 'object' }, { a: [] }],
    ['an object without its type', { properties: { a: { type: 'string' } } }, { a: 'x' }],
    ['a date and time', { type: 'string', format: 'date-time' }, new Date(0)],
    ['a constant', { const: 'ok' }, 'ok'],
    ['values that are no scalars', { enum: [{ a: 1 }, []] }, 'anything'],
    ['one of several', { oneOf: [{ type: 'string' }, { type: 'number' }] }, 1],
    ['null', { type: 'null' }, null],
    ['anything', {}, { a: undefined }],
    ['a schema that is true', { type: 'object', properties: { a: true as never }, required: ['a'] }, { a: null }],
    ['a type that is unknown', { type: 'tuple' }, 5],
    ['a member of Object.prototype as type', { type: 'constructor' }, 5],
    ['a property left out', { properties: { a: { type: 'string' } } }, {}],
  ])('a value fits the shape of its schema: %s', (_case, schema, value) => {
    expect(issues(schema, value)).toEqual([]);
  });

  test.each<[string, JsonSchema, unknown, readonly string[]]>([
    [
      'an object with wrong properties, at any depth',
      order,
      { status: 'lost', lines: [{ qty: 1 }, { qty: 1.5 }, {}], note: 5 },
      ['missing id', 'constraint status', 'type lines[1].qty', 'missing lines[2].qty', 'type note'],
    ],
    ['null for what must be there', order, { id: null, lines: [], note: null }, ['missing id']],
    ['no object', order, 'x', ['type ']],
    ['a recursive one', tree, { next: { next: 5 } }, ['type ']],
    ['a list of itself', { type: 'array', items: { $ref: '#' } }, [[], [5]], ['type [1][0]']],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }], items: false, minItems: 1 }, ['a', 1], ['type ']],
    ['a record', { type: 'object', additionalProperties: { type: 'number' } }, { a: 1, b: 'x' }, ['type [b]']],
    ['a list in place of a record', { type: 'object' }, [], ['type ']],
    ['another constant', { const: 'ok' }, 'no', ['constraint ']],
    ['none of several', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, ['type ']],
    ['no whole number', { type: 'integer' }, 1.5, ['type ']],
  ])('an example does not fit: %s', (_case, schema, value, expected) => {
    expect(issues(schema, value)).toEqual(expected);
  });
});
