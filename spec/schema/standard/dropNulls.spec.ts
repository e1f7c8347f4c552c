import { dropNulls } from '../../../src/schema/standard/dropNulls';

const text = { type: 'string' } as const;
const schema = {
  type: 'object',
  properties: {
    required: text,
    optional: text,
    list: { type: 'array', items: { $ref: '#/$defs/Item' } },
    pair: { type: 'array', prefixItems: [{ $ref: '#/$defs/Item' }] },
    nullable: { type: ['string', 'null'] },
    union: { anyOf: [text, { type: 'null' }] },
    plainUnion: { anyOf: [text, { $ref: '#/$defs/Item' }] },
    choice: { enum: ['a', null] },
    plainChoice: { enum: ['a', 1] },
    always: { const: null },
    anything: {},
    described: { description: 'x' },
    prices: { type: 'object', additionalProperties: { type: 'number' } },
    next: { $ref: '#' },
  },
  required: ['required'],
  $defs: { Item: { type: 'object', properties: { qty: { type: 'number' }, id: text }, required: ['id'] } },
};

const without = (value: unknown): unknown => {
  dropNulls(schema, value);
  return value;
};

describe('null for another library', () => {
  test("null counts as absence for another library's optional property that does not take it", () => {
    expect(without({ optional: null, plainUnion: null, plainChoice: null, list: null, next: null })).toEqual({});
  });

  test('null is a value where it may be one, for required properties, entries and unknown keys', () => {
    const value = (): object => ({
      required: null,
      nullable: null,
      union: null,
      choice: null,
      always: null,
      anything: null,
      described: null,
      prices: { a: null },
      unknown: null,
    });
    expect(without(value())).toEqual(value());
  });

  test('null is looked for at every depth', () => {
    const value = {
      list: [{ id: null, qty: null }, null],
      pair: [{ id: 'a', qty: null }, { qty: null }],
      plainUnion: { id: 'a', qty: null },
      next: { optional: null, next: { optional: null } },
    };
    expect(without(value)).toEqual({
      list: [{ id: null }, null],
      pair: [{ id: 'a' }, { qty: null }],
      plainUnion: { id: 'a' },
      next: { next: {} },
    });
  });

  test.each([[null], ['x'], [undefined], [[]], [{ a: [1, { b: 'c' }] }]])('dropNulls keeps %p', (value) => {
    expect(without(structuredClone(value))).toEqual(value);
  });
});
