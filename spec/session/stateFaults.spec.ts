import { Type } from 'class-transformer';
import { Field, Session } from 'toolwright';

class Pair {
  @Field({ type: { tuple: [String, Number] } }) pair!: readonly [string, number];
  @Field({ oneOf: ['integer', Boolean], optional: true }) either?: number | boolean;
  @Field({ enum: ['north', 'south'], optional: true }) way?: 'north' | 'south';
}
const pair = (values: object): Pair => Object.assign(new Pair(), { pair: ['a', 1] }, values);

function written(value: Pair): () => unknown {
  const session = new Session({ slices: [Pair] });
  session.slice(Pair).seed([value]);
  return () => session.toJSON();
}
function read(values: object): () => Session {
  const json = JSON.parse(JSON.stringify(written(pair({}))())) as { slices: Record<string, Record<string, unknown>[]> };
  Object.assign(json.slices['Pair']![0]!, values);
  return () => Session.fromJSON(json, { slices: [Pair] });
}

describe('state that is not as its class declares', () => {
  const cases: readonly (readonly [string, object, string])[] = [
    ['a tuple that is too short', { pair: ['a'] }, 'pair: expected an array of exactly 2, got '],
    ['a tuple that is too long', { pair: ['a', 1, 2] }, 'pair: expected an array of exactly 2, got '],
    ['a tuple in another order', { pair: [1, 'a'] }, 'pair[0]: expected a string, got the number 1'],
    ['none of two types', { either: 'x' }, 'either: expected a whole number or true or false, got the string "x"'],
    ['a value that the enum has not', { way: 'up' }, 'way: expected one of "north", "south", got the string "up"'],
  ];

  test.each(cases)('%s is not written: E805 says where, what was expected and what came', (_what, values, text) => {
    expect(written(pair(values))).toThrow(`E805 slices.Pair[0].${text}`);
    expect(written(pair(values))).toThrow('Use a value that the @Field declares, or correct the declaration.');
  });

  test.each(cases)('%s is not read: E806 says the same', (_what, values, text) => {
    expect(read(values)).toThrow(`E806 slices.Pair[0].${text}`);
  });

  test.each([
    ['a list', ['a'], 'E804 tags: expected a record of strings, got '],
    ['null', null, 'E804 tags: expected a record of strings, got null'],
    ['a text', 'a', 'E804 tags: expected a record of strings, got the string "a"'],
    ['a record with a number', { user: 1 }, 'E804 tags.user: expected a string, got the number 1'],
  ])('tags of a session that are %s: E804 says what was expected', (_what, tags, text) => {
    expect(() => new Session({ tags: tags as never })).toThrow(text);
  });
});

describe('state that could not be read back is refused with its place, the reason and what to do', () => {
  class Shape {
    kind?: string;
  }
  class Circle extends Shape {
    @Field('Radius') radius!: number;
  }
  class Square extends Shape {
    @Field('Side') side!: number;
  }
  const subTypes = [
    { value: Circle, name: 'circle' },
    { value: Square, name: 'square' },
  ];
  class Parts {
    @Field('Name') name!: string;
    @Field('Size') size = 1;
    @Field({ type: [String], optional: true }) list?: readonly string[];
    @Field({ record: Number, optional: true }) record?: Readonly<Record<string, number>>;
    @Field({ type: 'any', optional: true }) any?: unknown;
    @Field({ description: 'A shape', optional: true })
    @Type(() => Shape, { discriminator: { property: 'kind', subTypes } })
    shape?: Shape;
    extra?: unknown;
    total(): number {
      return this.size;
    }
  }
  const seeded = (value: unknown): (() => unknown) => {
    const session = new Session({ slices: [{ type: Parts, policy: 'log' }] });
    session.slice(Parts).seed([value as Parts]);
    return () => session.toJSON({ logs: true });
  };
  const parts = (values: object): Parts => Object.assign(new Parts(), { name: 'a' }, values);
  const row = (values: object): object => ({ name: 'a', size: 1, ...values });

  const declared = 'Use a value that the @Field declares, or correct the declaration.';
  const holdData = 'Hold plain data: texts, finite numbers, booleans, null, and lists and records of them.';
  const declareIt = 'Declare the property that holds it with @Field({ type }), or hold plain data.';

  test.each<[what: string, value: unknown, place: string, problem: string, remedy: string]>([
    ['a text for a list', parts({ list: 'ab' }), 'list', 'expected an array, got the string "ab"', declared],
    [
      'a Set for a list',
      parts({ list: new Set(['a']) }),
      'list',
      'expected an array, got an instance of Set',
      declared,
    ],
    [
      'a Map for a record',
      parts({ record: new Map([['a', 1]]) }),
      'record',
      'expected an object, got an instance of Map',
      declared,
    ],
    ['a list for a record', parts({ record: [1] }), 'record', 'expected an object, got an array of 1', declared],
    [
      'a subtype that names another',
      parts({ shape: Object.assign(new Square(), { side: 1, kind: 'circle' }) }),
      'shape',
      'expected an object whose kind is one of "circle", "square", got an instance of Square',
      declared,
    ],
    [
      'a row that names no subtype',
      parts({ shape: { side: 1, kind: 'star' } }),
      'shape',
      'expected an object whose kind is one of "circle", "square", got an object',
      declared,
    ],
    ['data under the name of a method', row({ total: 1 }), 'total', 'a member of Parts has this name', holdData],
    ['a missing value', { size: 1 }, 'name', 'is required: a string', 'Give it a value, or declare it optional.'],
    [
      'undefined for a default',
      row({ size: undefined }),
      'size',
      'is undefined, and would be read as its default',
      'Give it a value; null is one.',
    ],
    ['a BigInt in plain data', parts({ any: [1n] }), 'any[0]', 'the bigint 1 cannot be written as JSON', holdData],
    [
      'an instance in plain data',
      parts({ extra: new Circle() }),
      'extra',
      'an instance of Circle is in a place that no @Field declares',
      declareIt,
    ],
  ])('E805 state that could not be read back is refused: %s', (_what, value, place, problem, remedy) => {
    expect(seeded(value)).toThrow(`E805 slices.Parts[0].${place}: ${problem}\n  fix: ${remedy}`);
  });

  test('state with a circle is refused', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(seeded(parts({ any: circle }))).toThrow(
      /E805 slices\.Parts\[0\]\.any(?:\.self)+: is nested too deeply, or in a circle\n {2}fix: Flatten the state, or refer to its parts by ids\./,
    );
  });

  test('undefined in a slice is refused', () => {
    expect(seeded(undefined)).toThrow('E805 slices.Parts[0]: expected an instance of exactly Parts, got undefined');
  });
});
