import Ajv from 'ajv/dist/2020';
import fc from 'fast-check';
import { createApplication, definePrompt, type JsonSchema, type Logger } from 'toolwright';
import { mcpSection } from '@toolwright/mcp';
import { checkSchema as check } from '../../src/client/checkSchema';
import { HELD_MS, leastPause, longestPause } from '../../../../spec/support/hostPause';
import { measureAround } from '../../../../spec/support/attacks/around';
import { closeServers, connected, text } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';

measureAround();
afterEach(closeServers);

const union = (count: number): object => ({
  type: 'object',
  properties: {
    a: {
      anyOf: Array.from({ length: count }, (_none, index) => ({
        type: 'object',
        properties: { [`k${String(index)}`]: { type: 'string' } },
        required: [`k${String(index)}`],
        additionalProperties: false,
      })),
    },
  },
});

const checkSchema = (schema: JsonSchema, value: unknown) =>
  check(schema, value, (pattern, each) => new RegExp(pattern, 'u').test(each));

function bridged(tools: readonly Record<string, unknown>[], logger: Logger = silent, names?: readonly string[]) {
  return connected({ tools, call: () => text('done') }).then(async ({ client }) => {
    const section = await mcpSection(client, { key: 'remote', title: 'Remote', logger, names });
    const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [section] });
    const app = await createApplication({ prompts: [prompt], logger: silent });
    return { app, rendered: await app.prompt(prompt).render() };
  });
}

describe('schemas of an MCP server that cost', () => {
  test('HOST-04a ten unions of 900 objects are bridged within a budget, and the log says what is left out', async () => {
    const problems: string[] = [];
    const logger: Logger = { ...silent, warn: (line) => void problems.push(line) };
    const tools = Array.from({ length: 10 }, (_none, index) => ({
      ...{ name: `union_${String(index)}`, inputSchema: union(900) },
    }));
    const began = performance.now();
    const { rendered } = await bridged(tools, logger);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(rendered.tools.map(({ name }) => name)).toEqual(['union_0', 'union_1']);
    expect(problems).toHaveLength(8);
    expect(problems[0]).toMatch(/E687.+"union_2".+more than 20000 values; choose tools with names/);
  });

  test('HOST-04b arguments for a union of 900 objects are checked at once', async () => {
    const { app, rendered } = await bridged([{ name: 'union', inputSchema: union(900) }]);
    const call = (args: Readonly<Record<string, unknown>>): Promise<{ readonly kind: string }> =>
      app.invoke(rendered, 'union', args);
    for (const [args, kind] of [
      [{ a: { k899: 'x' } }, 'succeeded'],
      [{ a: { k899: 1 } }, 'rejected'],
    ] as const) {
      expect(await leastPause(() => call(args))).toBeLessThanOrEqual(HELD_MS);
      expect((await call(args)).kind).toBe(kind);
    }
  });

  const node = { oneOf: ['x', 'y'].map((title) => ({ title, properties: { a: { $ref: '#/$defs/n' } } })) };
  const deepest = Array.from({ length: 60 }).reduce<object>((inner) => ({ a: inner }), {});
  test.each<[string, object, unknown]>([
    ['a union that doubles with each level', { $ref: '#/$defs/n', $defs: { n: node } }, deepest],
    [
      'a union of 900 for each of 5,000 items',
      { type: 'array', items: union(900) },
      Array.from({ length: 5_000 }, () => ({ a: {} })),
    ],
    [
      'uniqueItems over 9,000 objects of ten keys',
      { uniqueItems: true },
      Array.from({ length: 9_000 }, (_none, index) =>
        Object.fromEntries(Array.from({ length: 10 }, (_n, key) => [`k${String(key)}`, index])),
      ),
    ],
    ['contains over 9,000 items of a union', { contains: union(900) }, Array.from({ length: 9_000 }, () => ({ a: 1 }))],
    [
      'a definition that nests itself',
      {
        $ref: '#/$defs/n',
        $defs: { n: { properties: { a: { allOf: [{ $ref: '#/$defs/n' }, { $ref: '#/$defs/n' }] } } } },
      },
      deepest,
    ],
  ])('HOST-04c a check ends after a number of steps: %s', async (_what, schema, value) => {
    // Counted, since the sources run here without what a build makes of them; before, each of these took minutes.
    expect(await longestPause(() => checkSchema(schema as never, value))).toBeLessThan(1_000);
    expect(checkSchema(schema as never, value)[0]?.message).toContain('could not be checked');
  });

  test('HOST-04g an issue deep in a recursive union is explained at once', async () => {
    const inner = { type: 'object', properties: { a: { $ref: '#/$defs/n' }, b: { type: 'string' } } };
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/n' } },
      $defs: { n: { anyOf: [inner, { ...inner }] } },
    };
    const { app, rendered } = await bridged([{ name: 'tree', inputSchema: schema }]);
    const args = Array.from({ length: 10 }).reduce<Record<string, unknown>>((below) => ({ a: below }), { b: 1 });
    const call = () => app.invoke(rendered, 'tree', args);
    expect(await leastPause(call)).toBeLessThanOrEqual(HELD_MS);
    expect((await call()).kind).toBe('rejected');
    // Deeper, its check ends.
    const deeper = Array.from({ length: 30 }).reduce<Record<string, unknown>>((below) => ({ a: below }), { b: 1 });
    expect((await app.invoke(rendered, 'tree', deeper)).text).toContain('could not be checked');
  });

  test.each([
    ['dependentRequired', { pin: {} }],
    ['dependentRequired', { pin: [1] }],
    ['dependencies', { pin: 'id' }],
    ['dependencies', ['id']],
    ['patternProperties', { '(': {} }],
    ['type', { toString: 0 }],
    ['type', ['object', { toString: 0 }]],
  ])(
    'HOST-04h a tool whose schema has a malformed %s is left out, and does not end the request of the host',
    async (keyword, value) => {
      const properties = { pin: { type: 'string' } };
      const tools = [
        { name: 'broken', inputSchema: { type: 'object', properties, [keyword]: value } },
        { name: 'whole', inputSchema: { type: 'object', properties, examples: 'none' } },
      ];
      const { rendered } = await bridged(tools);
      expect(rendered.tools.map(({ name }) => name)).toEqual(['whole']);
      expect(JSON.stringify(rendered.tools[0]?.schemaFor('gemini', {}))).toContain('pin');
    },
  );

  test('HOST-04d long legal values are checked: 9,000 items, unique texts, an enum of 2,000', () => {
    const schema = {
      type: 'array',
      uniqueItems: true,
      items: { enum: Array.from({ length: 9_000 }, (_none, index) => `value ${String(index)}`), type: 'string' },
    };
    const list = Array.from({ length: 9_000 }, (_none, index) => `value ${String(index)}`);
    expect(checkSchema(schema, list)).toEqual([]);
    expect(checkSchema(schema, [...list, 'value 7'])).toMatchObject([{ message: 'must NOT have duplicate items' }]);
  });

  test.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])(
    'HOST-04e a required %s that only the prototype has is missing',
    (name) => {
      expect(checkSchema({ type: 'object', required: [name] }, {})).toEqual([{ path: [name], message: 'is required' }]);
      expect(checkSchema({ properties: { [name]: { type: 'string' } } }, {})).toEqual([]);
      expect(checkSchema({ additionalProperties: false, properties: {} }, JSON.parse(`{"${name}":1}`))).toHaveLength(1);
    },
  );

  test('HOST-04f a check and a compiled one agree on every schema and value', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const key = fc.constantFrom('a', 'b', 'c');
    const { schema } = fc.letrec<{ schema: object; leaf: object }>((tie) => ({
      leaf: fc.oneof(
        fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'null', 'boolean', 'object', 'array') }),
        fc.record(
          { minimum: fc.integer({ min: -2, max: 2 }), multipleOf: fc.constantFrom(1, 2) },
          { requiredKeys: [] },
        ),
        fc.record({ minLength: fc.nat(2), maxLength: fc.nat(3) }, { requiredKeys: [] }),
        fc.record({ enum: fc.constant([1, 'a', null, { a: 1 }, [1]]) }),
        fc.record({ const: fc.constantFrom<unknown>(1, 'a', { a: 1, b: 2 }) }),
        fc.record({ required: fc.uniqueArray(key, { maxLength: 2 }), minProperties: fc.nat(2) }, { requiredKeys: [] }),
        fc.record({ minItems: fc.nat(2), maxItems: fc.nat(3), uniqueItems: fc.boolean() }, { requiredKeys: [] }),
        fc.record({ dependentRequired: fc.dictionary(key, fc.uniqueArray(key)) }),
      ),
      schema: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        tie('leaf'),
        fc.record(
          {
            properties: fc.dictionary(key, tie('schema')),
            patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), tie('schema')),
            additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
            unevaluatedProperties: fc.oneof(fc.boolean(), tie('schema')),
            propertyNames: tie('leaf'),
            dependentSchemas: fc.dictionary(key, tie('schema')),
          },
          { requiredKeys: [] },
        ),
        fc.record(
          {
            prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
            items: fc.oneof(fc.boolean(), tie('schema')),
            unevaluatedItems: fc.oneof(fc.boolean(), tie('leaf')),
          },
          { requiredKeys: [] },
        ),
        // Alone: Ajv takes an empty list for one that contains what `{}` fits, and every item of a list for one that was found.
        fc.record({ contains: fc.record({ type: fc.constantFrom('string', 'integer', 'array') }) }),
        fc.record(
          {
            allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
            anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
            oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
            not: tie('leaf'),
            if: tie('schema'),
            then: tie('schema'),
            else: tie('schema'),
            properties: fc.dictionary(key, tie('leaf')),
            unevaluatedProperties: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    const scalar = fc.constantFrom<unknown>(0, 1, 2, -1, 1.5, '', 'a', 'ab', null, true, '𝒳');
    const plain = { noNullPrototype: true };
    const inner = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(key, scalar, plain));
    const value = fc.oneof(inner, fc.dictionary(key, inner, plain), fc.array(inner, { maxLength: 3 }));
    const examples = fc.property(schema, fc.array(value, { minLength: 5, maxLength: 5 }), (given, values) => {
      const compiled = ajv.compile(given);
      for (const each of values) {
        const isFit = checkSchema(given as never, each).length === 0;
        if (isFit !== compiled(each))
          throw new Error(`${JSON.stringify(given)} ${JSON.stringify(each)}: ${String(isFit)}`);
      }
    });
    fc.assert(examples, { numRuns: 300 });
  });
});
