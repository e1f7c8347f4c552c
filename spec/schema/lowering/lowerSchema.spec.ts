import fc from 'fast-check';
import { toStrictJsonSchema } from 'openai/lib/transform';
import { Param, type Constructor } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { lowerSchema, type LoweredSchema } from '../../../src/schema/lowering/lowerSchema';
import { classWithValues } from '../generated';
import { instanceOf, shapeOf } from '../reading';

const strictly = (type: Constructor): LoweredSchema =>
  lowerSchema(writeClassSchema(shapeOf(type)), 'openai', { strict: true });

describe('a schema for OpenAI in strict mode', () => {
  class Item {
    @Param('Article') name!: string;
    @Param({ optional: true }) note?: string;
  }
  class Params {
    @Param('Order id') id!: string;
    @Param({ integer: true, min: 1, description: 'How many' }) count = 2;
    @Param({ optional: true, enum: ['a', 'b'], description: 'Which' }) choice?: string;
    @Param({ minLength: 2, maxLength: 4, description: 'Name' }) text!: string;
    @Param({ format: 'uri', optional: true }) link?: string;
    @Param({ optional: true }) item?: Item;
    @Param({ type: [Item], optional: true }) items?: Item[];
    @Param({ oneOf: [String, Number], optional: true, description: 'Either' }) either?: unknown;
  }

  test('strict mode requires every property, and lets the optional ones be null', () => {
    const { schema, strict } = strictly(Params);
    expect(strict).toBe(true);
    expect(schema['required']).toEqual(['id', 'count', 'choice', 'text', 'link', 'item', 'items', 'either']);
    expect(schema).toMatchObject({
      additionalProperties: false,
      properties: {
        id: { type: 'string', description: 'Order id' },
        count: { type: ['integer', 'null'], minimum: 1 },
        choice: { type: ['string', 'null'], enum: ['a', 'b', null] },
        item: { anyOf: [{ $ref: '#/$defs/Item' }, { type: 'null' }] },
        items: { type: ['array', 'null'], items: { $ref: '#/$defs/Item' } },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
      },
      $defs: { Item: { required: ['name', 'note'], properties: { note: { type: ['string', 'null'] } } } },
    });
  });

  test('a schema for OpenAI in strict mode describes what the dialect cannot express', () => {
    const { properties } = strictly(Params).schema as { properties: Record<string, { description?: string }> };
    expect(properties['text']).toEqual({ type: 'string', description: expect.stringMatching(/^Name.*2.*4/) as string });
    expect(properties['count']?.description).toMatch(/^How many.*2/);
    expect(properties['link']).toEqual({
      type: ['string', 'null'],
      description: expect.stringMatching(/ur[il]/i) as string,
    });
  });

  test('a schema for OpenAI in strict mode keeps descriptions where they were', () => {
    const { properties } = strictly(Params).schema as { properties: Record<string, { description?: string }> };
    expect(properties['choice']?.description).toBe('Which');
    expect(properties['either']?.description).toBe('Either');
  });

  test('a schema of a class that contains itself, described', () => {
    class Node {
      @Param({ type: () => Node, optional: true, description: 'The next one' }) next?: Node;
      @Param({ type: () => [Node], description: 'All below' }) children!: Node[];
    }
    const { schema, strict } = strictly(Node);
    expect(strict).toBe(true);
    expect(toStrictJsonSchema(schema as never)).toEqual(schema);
    expect(schema).toMatchObject({
      properties: { next: { description: 'The next one' }, children: { items: { $ref: '#/$defs/Node' } } },
    });
  });

  test('nulls come back as absence: the defaults apply', () => {
    const params = instanceOf(Params, {
      id: 'a',
      count: null,
      choice: null,
      text: 'ab',
      link: null,
      item: { name: 'x', note: null },
      items: null,
      either: null,
    });
    expect(params).toEqual({ id: 'a', count: 2, text: 'ab', item: { name: 'x' } });
  });

  test.each<[string, () => Constructor]>([
    [
      'a record',
      () => {
        class P {
          @Param({ record: Number }) v!: Record<string, number>;
        }
        return P;
      },
    ],
    [
      'a value of any kind',
      () => {
        class P {
          @Param({ type: 'any' }) v!: unknown;
        }
        return P;
      },
    ],
    [
      'a record deep inside',
      () => {
        class Inner {
          @Param({ type: [{ record: String }] }) v!: Record<string, string>[];
        }
        class P {
          @Param({ oneOf: [String, Inner] }) v!: unknown;
        }
        return P;
      },
    ],
  ])('strict mode is not possible for %s: the schema is sent as it is', (_what, make) => {
    const type = make();
    const lowered = strictly(type);
    expect(lowered).toMatchObject({ schema: writeClassSchema(shapeOf(type)), strict: false });
    expect(lowered.losses.some(({ became }) => became === 'plain')).toBe(true);
  });

  test("a schema for OpenAI in strict mode is one that OpenAI's client would not change", () => {
    let strict = 0;
    fc.assert(
      fc.property(classWithValues, ([type]) => {
        const lowered = strictly(type);
        if (!lowered.strict) return;
        strict++;
        expect(toStrictJsonSchema(lowered.schema as never)).toEqual(lowered.schema);
      }),
      { numRuns: 400 },
    );
    expect(strict).toBeGreaterThan(100);
  });
});

describe('a schema for any other provider', () => {
  test.each<[Parameters<typeof lowerSchema>[1], Parameters<typeof lowerSchema>[2]]>([
    ['json-schema', undefined],
    ['json-schema', { strict: true }],
    ['openai', undefined],
    ['openai', { strict: false }],
  ])('%s %j is the schema itself', (target, options) => {
    class Params {
      @Param({ optional: true }) a?: string;
    }
    const schema = writeClassSchema(shapeOf(Params));
    expect(lowerSchema(schema, target, options)).toMatchObject({ schema, strict: false, losses: [] });
  });
});
