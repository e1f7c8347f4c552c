import { findSchemaProblem } from '../../src/client/findSchemaProblem';

const object = (properties: object): object => ({ type: 'object', properties });
const nested = (levels: number): object => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = { type: 'array', items: schema };
  return schema;
};
const chain = (length: number): object => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: length + 1 }, (_none, index) => [
      `d${String(index)}`,
      index === length ? { type: 'object' } : { $ref: `#/$defs/d${String(index + 1)}` },
    ]),
  ),
});
const doubling = (levels: number): object => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: levels + 1 }, (_none, index) => {
      const next = { $ref: `#/$defs/d${String(index + 1)}` };
      return [`d${String(index)}`, index === levels ? { type: 'object' } : { allOf: [next, next] }];
    }),
  ),
});

describe('schemas of a server', () => {
  test.each<[string, unknown, string]>([
    ['that are none', 'x', 'is not an object'],
    ['of 1,000 references', chain(1_000), 'refers to other schemas more than 500 times'],
    ['that refer to themselves', { $ref: '#' }, 'refers to itself in a circle'],
    [
      'that refer to each other',
      { $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } },
      'refers to itself in a circle',
    ],
    ['whose parts refer to themselves', object({ a: { anyOf: [{ $ref: '#/properties/a' }] } }), 'in a circle'],
    ['that double with each reference', doubling(40), 'against more than 2000 schemas'],
    ['that lead to the network', object({ a: { $ref: 'http://127.0.0.1/x' } }), 'nothing is fetched'],
    ['that lead to a file', object({ a: { $ref: 'file:///etc/passwd' } }), 'nothing is fetched'],
    ['that lead nowhere', object({ a: { $ref: '#/$defs/missing' } }), 'nothing is fetched'],
    ['with a reference of another kind', object({ a: { $ref: 7 } }), 'nothing is fetched'],
    ['with dynamic references', object({ a: { $dynamicRef: '#x' } }), 'only known when it is used'],
    ['that answer later', { type: 'object', $async: true }, 'is asynchronous'],
    ['that are too deep', nested(200), 'is deeper than 64 levels'],
    ['that are too deep for any recursion', nested(100_000), 'is deeper than 64 levels'],
    ['of too many parts', object({ a: { enum: Array.from({ length: 20_000 }, (_none, index) => index) } }), 'values'],
    ['of too much text', object({ a: { description: 'x'.repeat(300_000) } }), 'characters'],
    ['with __proto__', JSON.parse('{"type":"object","properties":{"__proto__":{}}}') as unknown, 'has a key __proto__'],
  ])('ARG-24 schemas of a server are refused: %s', (_what, schema, problem) => {
    expect(findSchemaProblem(schema)).toContain(problem);
  });

  test.each<[string, object]>([
    ['plain ones', object({ a: { type: 'string' } })],
    ['lists of themselves', { ...object({ next: { $ref: '#' } }), required: [] }],
    [
      'trees',
      {
        ...object({ root: { $ref: '#/$defs/node' } }),
        $defs: { node: object({ left: { $ref: '#/$defs/node' }, right: { anyOf: [{ $ref: '#/$defs/node' }] } }) },
      },
    ],
    [
      'one definition used often',
      { ...object({ a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } }), $defs: { x: {} } },
    ],
    ['a $ref that is only data', object({ a: { const: { $ref: 'http://127.0.0.1/x' } } })],
    ['a property that is called $ref', object({ $ref: { type: 'string' } })],
  ])('schemas of a server are accepted: %s', (_what, schema) => {
    expect(findSchemaProblem(schema)).toBeUndefined();
  });
});
