import { Param, type Constructor, type JsonSchema, type ParamOptions, type SchemaTarget } from 'toolwright';
import { classSchema } from '../../../src/schema/jsonSchema';
import { lower, type LoweredSchema } from '../../../src/schema/lowering';
import { requestProblems } from '../../support/openai/requestRules';
import { shapeOf } from '../reading';

/** A class with properties of such options, by name. */
function classOf(properties: Readonly<Record<string, ParamOptions>>): Constructor {
  class Params {}
  for (const [name, options] of Object.entries(properties)) Param(options)(Params.prototype, name);
  return Params;
}

const many = (count: number, options: ParamOptions): Constructor =>
  classOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${String(index)}`, options])));

/** Objects inside each other, the arguments being the first. */
function nested(levels: number): Constructor {
  let inner = classOf({ end: { type: String } });
  for (let level = 1; level < levels; level++) inner = classOf({ inner: { type: inner } });
  return inner;
}

const strictly = (type: Constructor, target: SchemaTarget): LoweredSchema =>
  lower(classSchema(shapeOf(type)), target, { strict: true });

const obstacles = ({ losses }: LoweredSchema): readonly unknown[] =>
  losses.filter(({ became }) => became === 'plain').map(({ keyword, value }) => [keyword, value]);

const problems = ({ schema, strict }: LoweredSchema): readonly unknown[] =>
  requestProblems({
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'function', function: { name: 'use', parameters: schema, strict } }],
  });

const letters = (count: number, length: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, 'x'));

describe('ADPT-09: the limits of strict mode', () => {
  test.each<[string, SchemaTarget, () => Constructor]>([
    ['10 levels', 'openai', () => nested(10)],
    ['5,000 properties', 'openai', () => many(5_000, { type: String })],
    ['1,000 values of enums', 'openai', () => many(4, { enum: letters(250, 3) })],
    ['a large enum of 15,000 characters', 'openai', () => classOf({ v: { enum: letters(500, 30) } })],
    ['120,000 characters', 'openai', () => classOf({ ['n'.repeat(119_990)]: { enum: ['valuevalue'] } })],
    ['24 optional properties', 'anthropic', () => many(24, { type: String, optional: true })],
    ['16 unions', 'anthropic', () => many(16, { type: String, nullable: true })],
  ])('%s are within them for %s', (_what, target, make) => {
    const made = strictly(make(), target);
    expect(obstacles(made)).toEqual([]);
    expect(made.strict).toBe(true);
    if (target === 'openai') expect(problems(made)).toEqual([]);
  });

  test.each<[string, SchemaTarget, () => Constructor, string, number]>([
    ['11 levels', 'openai', () => nested(11), 'levels', 11],
    ['50 levels', 'openai', () => nested(50), 'levels', 50],
    ['5,001 properties', 'openai', () => many(5_001, { type: String }), 'properties', 5_001],
    ['1,001 values of enums', 'openai', () => many(7, { enum: letters(143, 3) }), 'enumValues', 1_001],
    [
      'a large enum of 15,030 characters',
      'openai',
      () => classOf({ v: { enum: letters(501, 30) } }),
      'enumCharacters',
      15_030,
    ],
    [
      '120,001 characters',
      'openai',
      () => classOf({ ['n'.repeat(119_991)]: { enum: ['valuevalue'] } }),
      'characters',
      120_001,
    ],
    ['25 optional properties', 'anthropic', () => many(25, { type: String, optional: true }), 'optionalProperties', 25],
    ['17 unions', 'anthropic', () => many(17, { type: String, nullable: true }), 'unions', 17],
  ])('%s are beyond them for %s: the tool is sent as it is', (_what, target, make, limit, counted) => {
    const type = make();
    const made = strictly(type, target);
    expect(made.strict).toBe(false);
    expect(made.schema).toEqual(classSchema(shapeOf(type)));
    expect(obstacles(made)).toEqual([[limit, counted]]);
    expect(made.losses).toContainEqual({ path: '', keyword: limit, value: counted, became: 'plain' });
    if (target === 'openai') expect(problems(made)).toEqual([]);
  });

  test('levels are counted through references, and what contains itself once', () => {
    class Tree {
      @Param({ type: () => [Tree] }) below!: Tree[];
    }
    expect(strictly(Tree, 'openai').strict).toBe(true);
    const inner = nested(9);
    const twice = classOf({ one: { type: inner }, other: { type: [inner] } });
    expect(obstacles(strictly(twice, 'openai'))).toEqual([['levels', 11]]);
  });
});

describe('a large class', () => {
  test('is lowered in a time that grows with its size only', () => {
    const timeFor = (count: number): number => {
      const source = classSchema(shapeOf(many(count, { type: String, optional: true, maxLength: 5 })));
      const start = performance.now();
      for (const target of ['openai', 'anthropic', 'gemini'] as const) lower(source, target, { strict: true });
      return performance.now() - start;
    };
    timeFor(1_000);
    const small = Math.min(timeFor(1_000), timeFor(1_000));
    const large = Math.min(timeFor(10_000), timeFor(10_000));
    // Ten times as much, with room for a busy machine; quadratic would be a hundred.
    expect(large / small).toBeLessThan(50);
  });

  test('with many classes that refer to each other is no harder', () => {
    const names = Array.from({ length: 400 }, (_, index) => `C${String(index)}`);
    const $defs = Object.fromEntries(
      names.map((name, index) => [
        name,
        {
          type: 'object',
          properties: {
            next: { $ref: `#/$defs/${names[index + 1] ?? 'C0'}` },
            other: { $ref: `#/$defs/${names[(index * 7) % names.length] ?? ''}` },
          },
          additionalProperties: false,
        },
      ]),
    );
    const source: JsonSchema = { type: 'object', properties: { first: { $ref: '#/$defs/C0' } }, $defs };
    for (const target of ['openai', 'anthropic', 'gemini'] as const) {
      const start = performance.now();
      lower(source, target, { strict: true });
      expect(performance.now() - start).toBeLessThan(3_000);
    }
  });
});

describe('an empty class', () => {
  class Empty {}
  const nothing = { type: 'object', properties: {}, required: [], additionalProperties: false };

  test('is an object without properties', () => {
    expect(strictly(Empty, 'openai')).toEqual({ schema: nothing, strict: true, losses: [] });
    const { required: _none, ...others } = nothing;
    expect(strictly(Empty, 'anthropic')).toEqual({ schema: others, strict: true, losses: [] });
    expect(lower(classSchema(shapeOf(Empty)), 'gemini')).toEqual({ schema: others, strict: false, losses: [] });
  });

  test('may be the class of a property, and the item of a list', () => {
    const made = strictly(classOf({ one: { type: Empty }, all: { type: [Empty], optional: true } }), 'openai');
    expect(made).toMatchObject({ strict: true, schema: { $defs: { Empty: nothing } } });
    expect(problems(made)).toEqual([]);
  });
});
