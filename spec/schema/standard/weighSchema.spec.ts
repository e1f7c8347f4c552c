import { isLight } from '../../../src/schema/read/isLight';
import { weighSchema } from '../../../src/schema/standard/weighSchema';

const object = (properties: Readonly<Record<string, unknown>>, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties,
  ...more,
});
const twice = (levels: number): object =>
  Object.fromEntries(
    Array.from({ length: levels }, (_none, n) => {
      const next = n + 1 < levels ? { $ref: `#/$defs/n${String(n + 1)}` } : { type: 'number' };
      return [`n${String(n)}`, { anyOf: [next, next] }];
    }),
  );

/** True if the schema alone shows that a check of the value is short. */
function isShort(schema: Readonly<Record<string, unknown>>, value: unknown): boolean {
  const weight = weighSchema(schema);
  return weight !== undefined && isLight(value, weight);
}

describe('the weight of a JSON Schema', () => {
  const order = object(
    {
      id: { type: 'string', minLength: 1, description: 'The id.' },
      unit: { enum: ['c', 'f'] },
      items: { type: 'array', items: object({ sku: { type: 'string' }, count: { type: 'integer', minimum: 1 } }) },
    },
    { required: ['id', 'items'], additionalProperties: false },
  );

  test('an ordinary call is light enough to be checked without a limit', () => {
    const items = Array.from({ length: 100 }, (_none, n) => ({ sku: 's', count: n }));
    expect(isShort(order, { id: '#1', unit: 'c', items })).toBe(true);
  });

  test('the weight of a schema grows with the values', () => {
    const items = Array.from({ length: 3_000 }, (_none, n) => ({ sku: 's', count: n }));
    expect(isShort(order, { id: '#1', items })).toBe(false);
  });

  test('the weight of a schema grows with the alternatives, written out where references repeat them', () => {
    const chained = (levels: number) => object({ a: { $ref: '#/$defs/n0' } }, { $defs: twice(levels) });
    expect(weighSchema(chained(4))?.value).toBeGreaterThan(2 * (weighSchema(chained(3))?.value ?? Infinity) - 40);
    expect(isShort(chained(6), { a: 1 })).toBe(true);
    expect(isShort(chained(12), { a: 1 })).toBe(false);
    expect(weighSchema(chained(40))).toBeUndefined();
  });

  test('the weight of a JSON Schema leaves definitions out to which nothing refers', () => {
    expect(weighSchema(object({ a: {} }, { $defs: { n: { pattern: 'a' } } }))).toEqual(weighSchema(object({ a: {} })));
  });

  test('the weight of a JSON Schema counts the characters of a text once for each keyword that reads them', () => {
    const text = { a: 'x'.repeat(1_000_000) };
    expect(isShort(object({ a: { type: 'string' } }), text)).toBe(true);
    expect(isShort(object({ a: { anyOf: [{ maxLength: 1 }, { minLength: 1 }] } }), text)).toBe(false);
  });

  test('the weight of a JSON Schema counts an enum by its value, which is looked up, and a const by its members', () => {
    const list = Array.from({ length: 300 }, (_none, n) => n);
    expect(weighSchema(object({ a: { enum: list } }))?.value).toBeLessThan(30);
    expect(weighSchema(object({ a: { const: list } }))?.value).toBeGreaterThan(300);
  });

  test.each<[string, object]>([
    ['a pattern', { a: { type: 'string', pattern: '^a' } }],
    ['a pattern of keys', { a: { patternProperties: { '^a': {} } } }],
    ['a pattern of names', { a: { propertyNames: { pattern: '^a' } } }],
    ['a format', { a: { type: 'string', format: 'email' } }],
    ['a recursive schema', { a: { $ref: '#' } }],
    ['a reference to nothing', { a: { $ref: '#/$defs/none' } }],
    ['a dynamic reference', { a: { $dynamicRef: '#a' } }],
    ['a schema with an address of its own', { a: { $id: 'other', $ref: '#/$defs/n' } }],
    ['a default that is a list', { a: { default: [1] } }],
    ['a property with the name of a prototype', { constructor: {} }],
    ['a schema of 200 levels', { a: Array.from({ length: 200 }).reduce<object>((inner) => ({ not: inner }), {}) }],
    ['a const of 200 levels', { a: { const: Array.from({ length: 200 }).reduce<unknown>((inner) => [inner], 1) } }],
    ['30,000 keywords', { a: { anyOf: Array.from({ length: 10_000 }, () => ({ minimum: 1, maximum: 2 })) } }],
  ])('the weight of a JSON Schema is not known with %s', (_what, properties) => {
    expect(weighSchema(object(properties as Record<string, unknown>))).toBeUndefined();
  });
});

describe('the weight of a value', () => {
  const limit = { value: 1, character: 1, most: 10 };

  test.each<[unknown, boolean]>([
    [1, true],
    ['123456789', true],
    ['1234567890', false],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9], true],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], false],
    [{ abcd: 'abcd' }, true],
    [{ abcd: 'abcde' }, false],
    [[[], [[]], {}], true],
  ])('%j weighs at most ten: %p', (value, expected) => {
    expect(isLight(value, limit)).toBe(expected);
  });

  test('the weight of a value ends for a value that holds itself', () => {
    const cyclic: unknown[] = [];
    cyclic.push(cyclic, cyclic);
    expect(isLight(cyclic, limit)).toBe(false);
  });
});
