import { toStrictJsonSchema } from 'openai/lib/transform';
import type { JsonSchema } from 'toolwright';
import type { SchemaTarget } from 'toolwright/adapters';
import { z } from 'zod';
import { lowerSchema, type LoweredSchema } from '../../../src/schema/lowering/lowerSchema';
import { requestProblems } from '../../../packages/openai/spec/support/requestRules';
import { compiled } from './compiled';
import { geminiProblems } from './geminiRules';

// Schemas of other libraries say more than params classes do. Whatever they say, a lowered schema is one that the provider
// takes, or the plain one, and the report says why.

const closed = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

const lowered = (schema: JsonSchema, target: SchemaTarget = 'openai', strict = true): LoweredSchema =>
  lowerSchema(schema, target, { strict });
const property = ({ schema }: LoweredSchema): unknown => (schema['properties'] as JsonSchema)['v'];
const problems = ({ schema, strict }: LoweredSchema): readonly unknown[] =>
  requestProblems({
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'function', function: { name: 'use', parameters: schema, strict } }],
  });

describe('a schema of another library, strictly for OpenAI', () => {
  test.each<[string, JsonSchema, JsonSchema, readonly string[]]>([
    [
      'oneOf becomes anyOf',
      { oneOf: [{ type: 'string' }, { type: 'number' }] },
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      ['oneOf widened'],
    ],
    ['a literal has a type', { const: 'a' }, { type: 'string', const: 'a' }, []],
    ['an enum has types', { enum: ['a', 1, null] }, { type: ['string', 'number', 'null'], enum: ['a', 1, null] }, []],
    ['a list has a type', { items: { type: 'string' } }, { type: 'array', items: { type: 'string' } }, []],
    [
      'a lone allOf is what it holds',
      { allOf: [{ type: 'string', maxLength: 5 }], description: 'Name' },
      { type: 'string', description: 'Name (at most 5 characters)' },
      ['maxLength description'],
    ],
    [
      'an allOf of rules is one schema',
      { type: 'integer', minimum: 1, allOf: [{ minimum: 3 }, { maximum: 9 }] },
      { type: 'integer', minimum: 3, maximum: 9 },
      [],
    ],
    [
      'rules that contradict are told',
      { type: 'string', pattern: 'a', allOf: [{ pattern: 'b' }] },
      { type: 'string', pattern: 'a', description: 'Matching the regular expression b' },
      ['allOf description'],
    ],
    [
      'validators’ own keywords are dropped',
      { type: 'string', $comment: 'x', readOnly: true, 'x-order': 1 },
      { type: 'string' },
      ['$comment dropped', 'readOnly dropped', 'x-order dropped'],
    ],
    [
      'rules for other types are dropped',
      { type: 'string', minimum: 1, uniqueItems: true },
      { type: 'string' },
      ['minimum dropped', 'uniqueItems dropped'],
    ],
    [
      'bounds of what a number can hold are dropped',
      { type: 'integer', minimum: -9007199254740991 },
      { type: 'integer' },
      ['minimum dropped'],
    ],
    [
      'what nothing fits is null',
      { not: {}, type: 'string' },
      { type: 'string', description: 'Not: {}' },
      ['not description'],
    ],
    [
      'a rest of a tuple joins its items',
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        description: 'In this order: a string',
      },
      ['prefixItems description'],
    ],
    [
      'a closed tuple has a length',
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
      { type: 'array', items: { type: 'string' }, maxItems: 1 },
      [],
    ],
    [
      'examples are told',
      { type: 'string', examples: ['a', 'b'] },
      { type: 'string', description: 'For example a or b' },
      ['examples description'],
    ],
    [
      'an open object with properties is closed',
      { type: 'object', properties: { a: { type: 'string' } } },
      closed({ a: { type: ['string', 'null'] } }),
      ['additionalProperties dropped'],
    ],
    ['a title stays', { type: 'string', title: 'Name' }, { type: 'string', title: 'Name' }, []],
  ])('a foreign schema is lowered strictly for OpenAI: %s', (_what, given, expected, losses) => {
    const made = lowered(closed({ v: given }));
    expect(property(made)).toEqual(expected);
    expect(made.losses.map(({ keyword, became }) => `${keyword} ${became}`)).toEqual(losses);
    expect(made.strict).toBe(true);
    expect(problems(made)).toEqual([]);
    expect(toStrictJsonSchema(structuredClone(made.schema) as never)).toEqual(made.schema);
  });

  test.each<[string, JsonSchema, string]>([
    ['an open object', { type: 'object' }, 'additionalProperties'],
    ['a map beside properties', { ...closed({}), additionalProperties: { type: 'string' } }, 'additionalProperties'],
    ['properties by pattern', closed({}, { patternProperties: { '^a': { type: 'string' } } }), 'patternProperties'],
    ['a list of anything', { type: 'array' }, 'type'],
    ['true', true as never, 'type'],
    ['a reference out of the document', { $ref: 'https://example.org/a.json' }, '$ref'],
    ['a reference to nothing', { $ref: '#/$defs/Nothing' }, '$ref'],
    ['rules without a type', { minLength: 5 }, 'type'],
  ])('a foreign schema cannot express %s strictly for OpenAI', (_what, given, keyword) => {
    const schema = closed({ v: given });
    const made = lowered(schema);
    expect(made.strict).toBe(false);
    expect(made.schema).toEqual(schema);
    expect(made.losses.map((loss) => [loss.keyword, loss.became])).toContainEqual([keyword, 'plain']);
  });

  test('a schema that no value fits becomes null, and is reported', () => {
    const made = lowered(closed({ v: false }));
    expect(property(made)).toEqual({ type: 'null' });
    expect(made.losses).toMatchObject([{ path: '/properties/v', keyword: 'not', became: 'widened' }]);
  });
});

describe('references of another library', () => {
  const text = { type: 'string', description: 'A text' };

  test.each(['$defs', 'definitions'])('lead to %s, which stay', (keyword) => {
    const made = lowered(closed({ v: { $ref: `#/${keyword}/A`, description: 'Mine' } }, { [keyword]: { A: text } }));
    expect(made.schema).toMatchObject({
      properties: { v: { anyOf: [{ $ref: '#/$defs/A' }], description: 'Mine' } },
      $defs: { A: text },
    });
    expect(problems(made)).toEqual([]);
  });

  test('references to other places are replaced by their targets, since these move', () => {
    const made = lowered(closed({ a: text, v: { $ref: '#/properties/a', description: 'Mine' } }));
    expect(property(made)).toEqual({ type: 'string', description: 'Mine' });
    expect(problems(made)).toEqual([]);
  });

  test('a foreign reference keeps its title', () => {
    const made = lowered(closed({ v: { $ref: '#/$defs/A', title: 'Mine' } }, { $defs: { A: text } }));
    expect(property(made)).toEqual({ anyOf: [{ $ref: '#/$defs/A' }], title: 'Mine' });
  });

  test('references to the root stay', () => {
    const made = lowered(closed({ v: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }));
    expect(made.strict).toBe(true);
    expect(problems(made)).toEqual([]);
    expect(lowered(closed({ v: { $ref: '#' } }), 'anthropic').losses).toMatchObject([
      { keyword: '$ref', became: 'plain' },
    ]);
  });

  test('round and round end', () => {
    const loop = closed(
      { v: { $ref: '#/$defs/A' } },
      { $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } },
    );
    for (const target of ['openai', 'anthropic', 'gemini'] as const) expect(() => lowered(loop, target)).not.toThrow();
    const inside = closed({ v: { $ref: '#/properties/v' } });
    expect(lowered(inside).losses).toMatchObject([{ keyword: '$ref', became: 'plain' }]);
  });

  test('a thousand deep are followed, not unrolled', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [
        `D${String(index)}`,
        closed({ a: { $ref: `#/$defs/D${String(index + 1)}` }, b: { $ref: `#/$defs/D${String(index + 1)}` } }),
      ]),
    );
    const bomb = closed({ v: { $ref: '#/$defs/D0' } }, { $defs: { ...$defs, D1000: closed({ a: text }) } });
    for (const target of ['openai', 'anthropic', 'gemini'] as const) {
      expect(JSON.stringify(lowered(bomb, target).schema).length).toBeLessThan(2 * JSON.stringify(bomb).length);
    }
  });
});

describe('a few lines that expand to more text than there is memory', () => {
  const chain = (write: (next: string) => JsonSchema): JsonSchema =>
    Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`P${String(index)}`, write(`P${String(index + 1)}`)]));
  const end = { P60: { type: 'string' } };

  test.each<[string, JsonSchema]>([
    [
      'references to places',
      closed({
        ...chain((next) => closed({ a: { $ref: `#/properties/${next}` }, b: { $ref: `#/properties/${next}` } })),
        ...end,
      }),
    ],
    [
      'intersections of references',
      closed(
        { v: { $ref: '#/$defs/P0' } },
        {
          $defs: {
            ...chain((next) => ({ allOf: [{ $ref: `#/$defs/${next}` }, { $ref: `#/$defs/${next}` }] })),
            ...end,
          },
        },
      ),
    ],
  ])('%s are written so often, and no more', (_what, bomb) => {
    for (const target of ['openai', 'anthropic', 'gemini'] as const) {
      expect(JSON.stringify(lowered(bomb, target).schema).length).toBeLessThan(1_000_000);
    }
  });
});

describe('names like those of Object’s own properties', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '$ref', 'enum', 'properties', 'a/b~c%d'];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', maxLength: 5 }]));

  test.each(['openai', 'anthropic', 'gemini'] as const)(
    'names like those of Object’s own properties are names for %s',
    (target) => {
      const made = lowered(closed(properties), target);
      expect(Object.keys(made.schema['properties'] as object)).toEqual(names);
      expect(made.schema['required']).toEqual(names);
      expect(made.losses).toHaveLength(names.length);
      expect(made.losses.at(-1)?.path).toBe('/properties/a~1b~0c%d');
    },
  );

  test('names like those of Object’s own properties are no keywords', () => {
    const odd = { type: 'string', toString: 'x', constructor: 1 } as never;
    expect(property(lowered(closed({ v: odd })))).toEqual({
      type: 'string',
      description: 'ToString: "x", constructor: 1',
    });
  });
});

describe('schemas that zod writes', () => {
  const order = z.object({
    id: z
      .string()
      .regex(/^#\d+$/)
      .describe('Order id'),
    mail: z.email().optional(),
    lines: z.array(z.object({ article: z.string().max(80), count: z.int().positive() })).min(1),
    paid: z.discriminatedUnion('by', [
      z.object({ by: z.literal('card'), digits: z.string().length(4) }),
      z.object({ by: z.literal('invoice') }),
    ]),
    point: z.tuple([z.number(), z.string()]),
    note: z.string().nullable().default(null),
    both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
  });
  const schema = z.toJSONSchema(order, { io: 'input' }) as JsonSchema;

  test('schemas that zod writes fit strict mode, and the client of OpenAI does not change them', () => {
    const made = lowered(schema);
    expect(made.losses.filter(({ became }) => became === 'plain')).toEqual([]);
    expect(made.strict).toBe(true);
    expect(problems(made)).toEqual([]);
    expect(toStrictJsonSchema(structuredClone(made.schema) as never)).toEqual(made.schema);
    expect(() => compiled(made.schema, { strict: true })).not.toThrow();
  });

  test('a schema that zod writes fits Gemini', () => {
    expect(geminiProblems(lowered(schema, 'gemini', false).schema)).toEqual([]);
  });

  test('schemas of a map are plain, and need no note on names that may be any text', () => {
    const map = z.toJSONSchema(z.object({ v: z.record(z.string(), z.number()) })) as JsonSchema;
    expect(lowered(map)).toMatchObject({ strict: false, schema: map });
    expect(property(lowered(map, 'gemini', false))).toEqual({
      type: 'object',
      additionalProperties: { type: 'number' },
    });
  });
});
