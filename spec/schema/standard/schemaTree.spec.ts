import { listAlternatives, listInnerSchemas, findReferenced } from '../../../src/schema/standard/schemaTree';

describe('pointedAt', () => {
  const root = { $defs: { A: { type: 'string' }, 'a/b~c d': { type: 'number' }, list: [{ const: 1 }] }, '100%': {} };

  test.each<[string, unknown]>([
    ['#', root],
    ['#/$defs/A', { type: 'string' }],
    ['#/$defs/a~1b~0c%20d', { type: 'number' }],
    ['#/$defs/list/0', { const: 1 }],
    ['#/100%', {}],
    ['#/$defs/B', undefined],
    ['#/$defs/A/type', undefined],
    ['#/$defs/A/type/length', undefined],
    ['#/constructor', undefined],
    ['#anchor', undefined],
    ['https://example.org/a.json', undefined],
    ['other.json#/$defs/A', undefined],
  ])('findReferenced resolves the reference %p', (reference, target) => {
    expect(findReferenced(root, reference)).toEqual(target);
  });
});

describe('innerSchemas', () => {
  test('innerSchemas distinguishes schemas from names that the author chose, and from data', () => {
    const schema = {
      properties: { enum: { title: 'a' }, $ref: { title: 'b' } },
      $defs: { default: { title: 'c' } },
      items: { title: 'd' },
      anyOf: [{ title: 'e' }, true],
      additionalProperties: false,
      default: { title: 'no' },
      enum: [{ title: 'no' }],
      const: { title: 'no' },
      examples: [{ title: 'no' }],
    };
    expect(listInnerSchemas(schema).map(({ title }) => title)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

describe('alternatives', () => {
  test('alternatives follows references, unions and intersections, in circles too', () => {
    const root = { $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'string' }, true] }, B: { const: 1 } } };
    const schema = { oneOf: [{ $ref: '#/$defs/A' }], allOf: [{ $ref: '#/$defs/B' }, { $ref: '#/nowhere' }] };
    const types = listAlternatives(root, [schema]).flatMap((found) => [found['type'], found['const']]);
    expect(types.filter((type) => type !== undefined).sort()).toEqual([1, 'string']);
  });
});
