import { Param, type Constructor, type JsonSchema, type ParamOptions } from 'toolwright';
import { writeClassSchema, allowNull, writeShapeSchema } from '../../../src/schema/emit/writeClassSchema';
import { schemaCompiler } from '../../support/schemaCompiler';
import { shapeOf } from '../reading';

const compile = schemaCompiler();

class Item {
  @Param('Article') name!: string;
}

describe('the schema of a class', () => {
  test('the schema of a class holds everything that JSON Schema can say, in the order of declaration', () => {
    class Params {
      @Param('Order id') zebra!: string;
      @Param({ integer: true, min: 1, max: 5, description: 'How many' }) count = 2;
      @Param({ enum: ['a', 'b'], optional: true }) choice?: string;
      @Param({ nullable: true, pattern: /^x/ }) ant!: string;
      @Param({ format: 'uuid', optional: true }) id?: string;
      @Param('When') at!: Date;
    }
    const schema = writeClassSchema(shapeOf(Params));
    expect(JSON.stringify(schema)).toBe(
      JSON.stringify({
        type: 'object',
        properties: {
          zebra: { type: 'string', description: 'Order id' },
          count: { type: 'integer', minimum: 1, maximum: 5, description: 'How many', default: 2 },
          choice: { type: 'string', enum: ['a', 'b'] },
          ant: { type: ['string', 'null'], pattern: '^x' },
          id: { type: 'string', format: 'uuid' },
          at: { type: 'string', format: 'date-time', description: 'When. ISO 8601; UTC without a zone.' },
        },
        required: ['zebra', 'ant', 'at'],
        additionalProperties: false,
      }),
    );
  });

  test('the schema of a class has the same bytes each time, from any reader', () => {
    class Params {
      @Param('A') b!: Item;
      @Param({ type: [Item] }) a!: Item[];
    }
    expect(JSON.stringify(writeClassSchema(shapeOf(Params)))).toBe(JSON.stringify(writeClassSchema(shapeOf(Params))));
  });

  test('the schema of a class without properties accepts nothing', () => {
    class Empty {}
    expect(writeClassSchema(shapeOf(Empty))).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });

  test.each<[string, Constructor, JsonSchema]>(
    (
      [
        ['any', { type: 'any' }, {}],
        ['a list', { type: [String] }, { type: 'array', items: { type: 'string' } }],
        ['a record', { record: Number }, { type: 'object', additionalProperties: { type: 'number' } }],
        [
          'a tuple',
          { type: { tuple: [String, Number] } },
          {
            type: 'array',
            prefixItems: [{ type: 'string' }, { type: 'number' }],
            items: false,
            minItems: 2,
            maxItems: 2,
          },
        ],
        ['one of several', { oneOf: [String, Boolean] }, { anyOf: [{ type: 'string' }, { type: 'boolean' }] }],
        ['an enum of several types', { enum: ['a', 1] }, { enum: ['a', 1] }],
        ['an enum with null', { enum: ['a', null] }, { enum: ['a', null] }],
      ] as const
    ).map(([what, options, schema]) => {
      class Params {
        declare v: unknown;
      }
      const declared: ParamOptions = options;
      Param(declared)(Params.prototype, 'v');
      return [what, Params, schema];
    }),
  )('the schema of a class has a form for %s', (_what, type, schema) => {
    expect(writeClassSchema(shapeOf(type))).toMatchObject({ properties: { v: schema } });
  });

  test('the schema of a class publishes defaults as JSON', () => {
    class Params {
      @Param('At') at = new Date(0);
      @Param({ type: [Item] }) items: Item[] = [Object.assign(new Item(), { name: 'x' })];
      @Param({ type: String }) none: string | null = null;
    }
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({
      properties: {
        at: { default: '1970-01-01T00:00:00.000Z' },
        items: { default: [{ name: 'x' }] },
        none: { default: null },
      },
    });
  });
});

describe('$defs', () => {
  test('$defs exist for a class that is used repeatedly, and for no other', () => {
    class Once {
      @Param('A') a!: string;
    }
    class Params {
      @Param('First') first!: Item;
      @Param({ type: [Item] }) more!: Item[];
      @Param('Once') once!: Once;
    }
    const schema = writeClassSchema(shapeOf(Params));
    expect(Object.keys(schema['$defs'] as object)).toEqual(['Item']);
    expect(schema).toMatchObject({
      properties: {
        first: { $ref: '#/$defs/Item', description: 'First' },
        more: { items: { $ref: '#/$defs/Item' } },
        once: { type: 'object', properties: { a: { type: 'string' } } },
      },
      $defs: { Item: { type: 'object', additionalProperties: false } },
    });
  });

  test('$defs hold a class that contains itself', () => {
    class Node {
      @Param({ type: () => Node, optional: true }) next?: Node;
    }
    expect(writeClassSchema(shapeOf(Node))).toEqual({
      type: 'object',
      properties: { next: { $ref: '#/$defs/Node' } },
      additionalProperties: false,
      $defs: {
        Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, additionalProperties: false },
      },
    });
  });

  test('$defs have different names for two classes of one name', () => {
    const make = (property: string): Constructor => {
      class Part {}
      Param({ type: String })(Part.prototype, property);
      return Part;
    };
    const [left, right] = [make('l'), make('r')];
    class Params {
      @Param({ type: [left] }) a!: unknown[];
      @Param({ type: [right] }) b!: unknown[];
      @Param({ type: left }) c!: unknown;
      @Param({ type: right }) d!: unknown;
    }
    const schema = writeClassSchema(shapeOf(Params)) as {
      properties: Record<string, { $ref?: string }>;
      $defs: object;
    };
    expect(Object.keys(schema.$defs)).toHaveLength(2);
    expect(schema.properties['c']?.$ref).not.toBe(schema.properties['d']?.$ref);
    const valid = compile(schema);
    expect(valid({ a: [{ l: 'x' }], b: [{ r: 'x' }], c: { l: 'x' }, d: { r: 'x' } })).toBe(true);
    expect(valid({ a: [{ l: 'x' }], b: [{ r: 'x' }], c: { r: 'x' }, d: { r: 'x' } })).toBe(false);
  });

  test.each(['', 'Ärger', '$Part', 'Desk.scalars'])('$defs can be found for a class named %j', (name) => {
    class Part {
      @Param('A') a!: string;
    }
    Object.defineProperty(Part, 'name', { value: name });
    class Params {
      @Param('First') first!: Part;
      @Param('Second') second!: Part;
    }
    const valid = compile(writeClassSchema(shapeOf(Params)));
    expect(valid({ first: { a: 'x' }, second: { a: 'x' } })).toBe(true);
    expect(valid({ first: { a: 'x' }, second: { a: 1 } })).toBe(false);
  });

  test('$defs exist for types that are no class, too', () => {
    expect(writeShapeSchema({ kind: 'array', items: { kind: 'object', shape: shapeOf(Item) } })).toMatchObject({
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' } } },
    });
  });
});

describe('nullable', () => {
  test.each<[JsonSchema, JsonSchema]>([
    [{ type: 'string' }, { type: ['string', 'null'] }],
    [{ type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [
      { type: 'string', enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ anyOf: [{ type: 'string' }] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [{ $ref: '#/$defs/A' }, { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] }],
  ])('allowNull turns %j into %j', (schema, expected) => {
    expect(allowNull(schema)).toEqual(expected);
  });

  test('allowNull keeps the description where a model looks for it', () => {
    expect(allowNull({ $ref: '#/$defs/A', description: 'Words' })).toMatchObject({ description: 'Words' });
  });
});
