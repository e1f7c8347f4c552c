import fc from 'fast-check';
import { compareContracts } from '../src/contract/compareContracts';
import type { Contract } from '../src/contract/Contract';
import { compareSchemas } from '../src/contract/compareSchemas';
import type { JsonSchema } from 'toolwright';

const object = (properties: object, required: readonly string[] = [], more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...more,
});
const text = { type: 'string' };

/** What changes of a tool's arguments, from the first schema to the second: the breaking sentences, then the others. */
const rows: readonly (readonly [
  name: string,
  before: JsonSchema,
  after: JsonSchema,
  breaks: readonly string[],
  other: readonly string[],
])[] = [
  ['nothing', object({ a: text }), object({ a: text }), [], []],
  [
    'a new required parameter',
    object({ a: text }),
    object({ a: text, b: text }, ['b']),
    ['/b a required parameter was added'],
    [],
  ],
  [
    'a new optional parameter',
    object({ a: text }),
    object({ a: text, b: text }),
    [],
    ['/b an optional parameter was added'],
  ],
  ['a removed parameter', object({ a: text, b: text }), object({ a: text }), ['/b the parameter was removed'], []],
  [
    'a removed parameter that may be sent all the same',
    object({ a: text, b: text }),
    { ...object({ a: text }), additionalProperties: true },
    [],
    [' additionalProperties false is now true', '/b the parameter was removed'],
  ],
  [
    'a parameter that becomes required',
    object({ a: text }),
    object({ a: text }, ['a']),
    ['/a the parameter is required now'],
    [],
  ],
  [
    'a parameter that becomes optional',
    object({ a: text }, ['a']),
    object({ a: text }),
    [],
    ['/a the parameter is optional now'],
  ],
  ['another type', object({ a: text }), object({ a: { type: 'number' } }), ['/a type string is now number'], []],
  [
    'an integer that may be any number',
    object({ a: { type: 'integer' } }),
    object({ a: { type: 'number' } }),
    [],
    ['/a type integer is now number'],
  ],
  [
    'a number that must be an integer',
    object({ a: { type: 'number' } }),
    object({ a: { type: 'integer' } }),
    ['/a type number is now integer'],
    [],
  ],
  [
    'null that is refused',
    object({ a: { type: ['string', 'null'] } }),
    object({ a: text }),
    ['/a type null or string is now string'],
    [],
  ],
  [
    'null that is allowed',
    object({ a: text }),
    object({ a: { type: ['null', 'string'] } }),
    [],
    ['/a type string is now null or string'],
  ],
  [
    'a narrowed enum',
    object({ a: { enum: ['x', 'y'] } }),
    object({ a: { enum: ['x'] } }),
    ['/a "y" is no longer allowed'],
    [],
  ],
  [
    'a widened enum',
    object({ a: { enum: ['x'] } }),
    object({ a: { enum: ['x', 'y'] } }),
    [],
    ['/a "y" is allowed now'],
  ],
  ['an enum in another order', object({ a: { enum: ['x', 'y'] } }), object({ a: { enum: ['y', 'x'] } }), [], []],
  ['a new enum', object({ a: text }), object({ a: { ...text, enum: ['x'] } }), ['/a only "x" is allowed now'], []],
  [
    'a constant',
    object({ a: { const: 1 } }),
    object({ a: { const: 2 } }),
    ['/a 1 is no longer allowed'],
    ['/a 2 is allowed now'],
  ],
  [
    'a lower maximum',
    object({ a: { type: 'number', maximum: 9 } }),
    object({ a: { type: 'number', maximum: 5 } }),
    ['/a maximum 9 is now 5'],
    [],
  ],
  [
    'a higher maximum',
    object({ a: { type: 'number', maximum: 5 } }),
    object({ a: { type: 'number', maximum: 9 } }),
    [],
    ['/a maximum 5 is now 9'],
  ],
  ['a new minimum', object({ a: text }), object({ a: { ...text, minLength: 1 } }), ['/a minLength none is now 1'], []],
  [
    'a minimum that is gone',
    object({ a: { ...text, minLength: 1 } }),
    object({ a: text }),
    [],
    ['/a minLength 1 is now none'],
  ],
  [
    'another pattern',
    object({ a: { ...text, pattern: '^a' } }),
    object({ a: { ...text, pattern: '^b' } }),
    ['/a pattern "^a" is now "^b"'],
    [],
  ],
  [
    'a format that is gone',
    object({ a: { ...text, format: 'email' } }),
    object({ a: text }),
    [],
    ['/a format "email" is now none'],
  ],
  [
    'items of a list',
    object({ a: { type: 'array', items: text } }),
    object({ a: { type: 'array', items: { type: 'number' } } }),
    ['/a/[] type string is now number'],
    [],
  ],
  [
    'values of a map',
    object({ a: { type: 'object', additionalProperties: text } }),
    object({ a: { type: 'object', additionalProperties: { ...text, maxLength: 3 } } }),
    ['/a/* maxLength none is now 3'],
    [],
  ],
  [
    'a map that becomes closed',
    object({}, [], { additionalProperties: true }),
    object({}),
    [' additionalProperties true is now false'],
    [],
  ],
  [
    'a part that is referred to',
    object({ a: { $ref: '#/$defs/A' } }, [], { $defs: { A: object({ b: text }) } }),
    object({ a: { $ref: '#/$defs/A' } }, [], { $defs: { A: object({ b: text }, ['b']) } }),
    ['/a/b the parameter is required now'],
    [],
  ],
  [
    'a part that is no longer referred to',
    object({ a: { $ref: '#/$defs/A' } }, [], { $defs: { A: text } }),
    object({ a: text }),
    [],
    [],
  ],
  [
    'an alternative that is gone',
    object({ a: { anyOf: [text, { type: 'number' }] } }),
    object({ a: { anyOf: [text] } }),
    ['/a an alternative is no longer allowed: number'],
    [],
  ],
  [
    'an alternative more',
    object({ a: { anyOf: [text] } }),
    object({ a: { anyOf: [text, { type: 'number' }] } }),
    [],
    ['/a an alternative was added'],
  ],
  [
    'alternatives in another order',
    object({ a: { anyOf: [text, { type: 'number' }] } }),
    object({ a: { anyOf: [{ type: 'number' }, text] } }),
    [],
    [],
  ],
];

describe('the contract of a tool', () => {
  test.each(rows)("a change of a tool's contract is judged: %s", (_name, before, after, breaks, other) => {
    const found = compareSchemas(before, after);
    const told = (breaking: boolean) =>
      found.filter((each) => each.breaking === breaking).map(({ path, what }) => `${path} ${what}`);
    expect([told(true), told(false)]).toEqual([breaks, other]);
  });

  test('a type that refers to itself ends', () => {
    const list = (type: string): JsonSchema =>
      object({ next: { $ref: '#/$defs/Node' } }, [], {
        $defs: { Node: object({ next: { $ref: '#/$defs/Node' }, value: { type } }) },
      });
    expect(compareSchemas(list('string'), list('string'))).toEqual([]);
    expect(compareSchemas(list('string'), list('number')).some(({ breaking }) => breaking)).toBe(true);
  });

  test('a reference that leads to itself ends', () => {
    const circle: JsonSchema = { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } };
    expect(compareSchemas(circle, { ...circle, description: 'x' })).toEqual([]);
  });

  test('any schema is the same as itself, and narrowing it by a required parameter breaks', () => {
    const leaf = fc.constantFrom(text, { type: 'number' }, { enum: ['a', 'b'] }, { type: 'array', items: text });
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), leaf, { maxKeys: 5, noNullPrototype: true }),
        (properties) => {
          const schema = object(properties);
          expect(compareSchemas(schema, structuredClone(schema))).toEqual([]);
          const narrower = object({ ...properties, added_one: text }, ['added_one']);
          expect(compareSchemas(schema, narrower).filter(({ breaking }) => breaking)).toHaveLength(1);
        },
      ),
    );
  });

  test('tools and prompts that come and go, with the nearest name of one that went', () => {
    const contract = (tools: Readonly<Record<string, string>>, prompt = 'shop/desk'): Contract => ({
      format: 'toolwright/contract',
      version: 1,
      prompts: {
        [prompt]: {
          tools: Object.fromEntries(
            Object.entries(tools).map(([name, description]) => [name, { description, input: object({}) }]),
          ),
        },
      },
    });
    const told = (before: Contract, after: Contract) =>
      compareContracts(before, after).map(({ tool, breaking, what }) => [breaking, tool, what]);
    expect(told(contract({ get_order: 'a', ping: 'b' }), contract({ get_orders: 'a', ping: 'c' }))).toEqual([
      [true, 'get_order', 'the tool was removed. Did you mean "get_orders"?'],
      [false, 'ping', 'the description changed'],
      [false, 'get_orders', 'the tool was added'],
    ]);
    expect(told(contract({}), contract({}, 'shop/till'))).toEqual([
      [true, undefined, 'the prompt was removed'],
      [false, undefined, 'the prompt was added'],
    ]);
  });
});
