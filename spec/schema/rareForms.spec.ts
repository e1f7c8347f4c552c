import { Field, Param } from 'toolwright';
import { schemaOf, toStandardSchema } from 'toolwright/schema';
import { Type } from 'class-transformer';
import { IsInt, IsNumber } from 'class-validator';
import type { TypeShape } from '../../src/metadata/ClassShape';
import { Conformity } from '../../src/schema/write/Conformity';
import { describeMembers } from '../../src/schema/rules/isAmong';
import { findTextExcess } from '../../src/schema/parse/jsonExtent';
import { isPlainJson } from '../../src/schema/write/plainJson';
import { listEnumValues } from '../../src/schema/rules/ruleTable';
import { SecretHider } from '../../src/schema/write/secrets';
import { textRules } from '../../src/schema/rules/textRules';
import { locateValue } from '../../src/schema/standard/locateValue';
import { writeAdvertisedSchema, writeForeignSchema } from '../../src/schema/standard/writeAdvertisedSchema';
import { findPrototypeKey } from '../../src/schema/standard/findPrototypeKey';
import { faultsOf, instanceOf, issuesOf, shapeOf } from './reading';

describe('values of a long enum', () => {
  const values = Array.from({ length: 103 }, (_, index) => `v${String(index)}`);
  class Choice {
    @Param({ description: 'Choice', enum: values }) choice!: string;
    @Param({ description: 'Choices', type: [String], enum: values }) choices!: string[];
  }

  test('values of a long enum are accepted and refused as those of a short one', () => {
    expect(instanceOf(Choice, { choice: 'v102', choices: ['v0', 'v50'] })).toEqual({
      choice: 'v102',
      choices: ['v0', 'v50'],
    });
    expect(issuesOf(Choice, { choice: 'v103', choices: ['v0'] }).map(({ path }) => path)).toEqual(['choice']);
  });

  test('values of a long enum are named up to a hundred, and counted from there', () => {
    expect(describeMembers(values)).toMatch(/^"v0", .*"v99" and 3 more$/);
    expect(describeMembers(values.slice(0, 100))).toMatch(/"v99"$/);
  });

  test('the reverse mapping of a numeric enum is left out, a name that ends in digits is not', () => {
    expect(listEnumValues({ A1: 'x', B: -1, '-1': 'B' })).toEqual(['x', -1]);
  });
});

describe('a property whose type a compiler emits as an enum', () => {
  test('a property whose type a compiler emits as an enum is refused without an option that names it', () => {
    class Params {
      declare colour: string;
    }
    Reflect.defineMetadata('design:type', { Red: 'red' }, Params.prototype, 'colour');
    Param('C')(Params.prototype, 'colour');
    expect(faultsOf(Params)).toMatchObject([
      { code: 'E201', place: 'Params.colour', problem: 'its type is an enum; name it with enum: X' },
    ]);
  });
});

describe('plain JSON', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

  test('plain JSON has at most 32 levels', () => {
    expect(isPlainJson(nested(32))).toBe(true);
    expect(isPlainJson(nested(33))).toBe(false);
  });

  test('plain JSON may hold booleans', () => {
    expect(isPlainJson({ open: true, paid: false })).toBe(true);
  });
});

describe('secrets', () => {
  class Card {
    @Param({ description: 'Number', secret: true }) number!: string;
    @Param('Owner') owner!: string;
  }
  class Payment {
    @Param({ description: 'Cards', record: Card }) cards!: Record<string, Card>;
    @Param({ description: 'A card, or the name of one', oneOf: [Card, String] }) card!: Card | string;
  }
  const hidden = (value: unknown): unknown => new SecretHider('wire').object(shapeOf(Payment), value);

  test('secrets of the classes of a record are hidden entry by entry', () => {
    expect(hidden({ cards: { one: { number: '4111', owner: 'Ada' } }, card: 'x' })).toEqual({
      cards: { one: { number: '[secret]', owner: 'Ada' } },
      card: '[secret]',
    });
  });

  test('a value in place of a record is hidden whole', () => {
    for (const [sent, shown] of [
      ['4111', '[secret]'],
      [4111, '[secret]'],
      [null, null],
    ])
      expect(hidden({ cards: sent })).toEqual({ cards: shown });
  });
});

describe('the texts of a secret', () => {
  class Login {
    @Param({ description: 'Keys', type: 'any', secret: true }) keys!: unknown;
  }

  test('the texts of a secret are found within lists and objects', () => {
    const hider = new SecretHider('wire');
    expect(hider.object(shapeOf(Login), { keys: { main: ['k-1', { pin: 1234 }], none: null } })).toEqual({
      keys: '[secret]',
    });
    expect([...hider.texts]).toEqual(['main', 'k-1', 'pin', '1234', 'none']);
  });

  class Account {
    @Param('User') user!: string;
    @Param({ description: 'Tokens', record: String, optional: true }) tokens?: Record<string, string>;
  }
  class Access {
    @Param({ description: 'Account', secret: true, optional: true }) account?: Account;
    @Param({ description: 'Accounts', type: [Account], secret: true, optional: true }) accounts?: Account[];
    @Param({ description: 'File of a service', secret: true, optional: true }) file?: string;
  }
  const textsIn = (value: object): readonly string[] => {
    const hider = new SecretHider('wire');
    hider.object(shapeOf(Access), value);
    return [...hider.texts];
  };

  test('the texts of a secret are the keys of records, and not the names that a class declares or that every record has', () => {
    const account = { user: 'ada', tokens: { 'desk@corp': 'one', user: 'two', text: 'three' }, other: 1 };
    const texts = ['ada', 'desk@corp', 'one', 'two', 'three', 'other', '1'];
    expect(textsIn({ account })).toEqual(texts);
    expect(textsIn({ accounts: [account] })).toEqual(texts);
    expect(textsIn({ account: JSON.stringify(account) })).toEqual([JSON.stringify(account), ...texts]);
    expect(textsIn({ acount: { who: 'x' } })).toEqual(['who', 'x']);
  });

  test('the texts of a secret are no keys of a file that is sent as a text: they are words of its format', () => {
    const file = JSON.stringify({ client: 'ada', codes: { main: 'k-1' } });
    expect(textsIn({ file })).toEqual([file, 'ada', 'k-1']);
    expect(textsIn({ file: { client: 'ada' } })).toEqual(['client', 'ada']);
  });
});

describe('rules of lengths', () => {
  test('rules of lengths name a bound that is missing, and publish only natural numbers', () => {
    const row = (...constraints: readonly unknown[]) => textRules['isLength']?.(constraints);
    expect(row(2, undefined)?.expected).toBe('2 to any number of characters');
    expect(row(2, 4)).toMatchObject({ expected: '2 to 4 characters', schema: { minLength: 2, maxLength: 4 } });
    expect(row(1.5, -1)?.schema).toBeUndefined();
  });
});

describe('a result', () => {
  class Circle {
    @Field('Radius') radius!: number;
  }
  class Square {
    @Field('Side') side!: number;
  }
  const shapes = [Circle, Square].map((type) => ({ name: type.name, shape: shapeOf(type) }));
  const figure: TypeShape = { kind: 'discriminated', property: 'kind', subTypes: shapes, keep: false } as never;
  const paths = (type: TypeShape, value: unknown): readonly string[] =>
    new Conformity().issues(type, value).map(({ path, message }) => `${path}: ${message}`);

  test('a result of several classes is of the one that its properties fit', () => {
    const conformity = new Conformity();
    const fitting = (value: object) => conformity.subTypes(figure, value);
    expect(fitting({ side: 2 })).toEqual([shapes[1]]);
    expect(fitting({ radius: 2 })).toEqual([shapes[0]]);
    expect(fitting({ kind: 'Circle', side: 2 })).toEqual([]);
    expect(fitting({ width: 2 })).toEqual([]);
  });

  test.each([null, 'text', 3])('%p is no value of several classes, of a record, or of a class', (value) => {
    for (const type of [
      figure,
      { kind: 'record', values: { kind: 'any' } },
      { kind: 'object', shape: shapes[0]!.shape },
    ])
      expect(paths(type as TypeShape, value)).toHaveLength(1);
  });

  test('a result that refers to itself is compared with several types once', () => {
    const list: { kind: 'array'; items: unknown } = { kind: 'array', items: undefined };
    list.items = { kind: 'oneOf', options: [{ kind: 'string' }, list] };
    const cyclic: unknown[] = ['a'];
    cyclic.push(cyclic);
    expect(paths(list as TypeShape, cyclic)).toEqual([]);
  });

  test('a result that is too deep is reported without its path', () => {
    const list: { kind: 'array'; items: unknown } = { kind: 'array', items: undefined };
    list.items = list;
    let value: unknown[] = [];
    for (let level = 0; level < 600; level++) value = [value];
    expect(paths(list as TypeShape, value)).toEqual([expect.stringMatching(/^: .*500 levels of nesting/)]);
  });
});

describe('the extent of JSON', () => {
  const most = { values: 100, depth: 3 };

  test('the extent of JSON counts brackets that are nested, however short the text is', () => {
    expect(findTextExcess('[[[[1]]]]', most)).toBeUndefined();
    expect(findTextExcess('[[[[[1]]]]]', most)).toBe('depth');
    expect(findTextExcess('{"a":{"a":{"a":{"a":{}}}}}', most)).toBe('depth');
  });

  test('the extent of JSON does not count the values of what is deeper than the most levels', () => {
    const inner = (count: number): string => Array.from({ length: count }, () => 1).join();
    expect(findTextExcess(`[[[[${inner(99)}]]]]`, most)).toBe('values');
    expect(findTextExcess(`[[[[[${inner(99)}]]]]]`, most)).toBe('depth');
  });
});

describe('a schema of another library', () => {
  const input = { type: 'object', properties: { a: { type: 'string' } } };
  const standard = (schemas: Readonly<Record<'input' | 'output', unknown>>): never =>
    ({
      vendor: 'own',
      jsonSchema: { input: () => schemas.input, output: () => schemas.output },
    }) as never;

  test('a schema of another library gives its output where a result is declared', () => {
    const output = { type: 'object', properties: { b: { type: 'number' } } };
    expect(writeForeignSchema(standard({ input, output }), 'result')).toEqual({ schema: output });
    expect(writeForeignSchema(standard({ input, output }), 'params')).toEqual({ schema: input });
  });

  test('a schema without a type is described by its first keywords', () => {
    const union = { anyOf: [input], title: 'Either', description: 'One', deprecated: true };
    expect(writeAdvertisedSchema(standard({ input: union, output: {} }))).toEqual({
      code: 'E210',
      problem: 'the root of the schema in params is not an object, but has anyOf, title, description',
    });
  });

  test('a key that is a number is an index, also where the value is an object', () => {
    expect(locateValue({}, { a: {} }, ['a', 0]).path).toBe('a[0]');
    expect(locateValue({}, { a: {} }, ['a', '0']).path).toMatch(/^a\./);
  });

  test('a key __proto__ is refused, also if it is declared', () => {
    const schema = { type: 'object', properties: JSON.parse('{"__proto__":{"type":"string"}}') as object };
    expect(findPrototypeKey(schema, JSON.parse('{"__proto__":"x"}'))).toBe('__proto__');
    expect(findPrototypeKey({ properties: { constructor: {} } }, JSON.parse('{"constructor":"x"}'))).toBeUndefined();
  });
});

describe('classes', () => {
  class Item {
    @Param({ description: 'Count', default: 1 }) count = 1;
  }
  class Basket {
    @Param({ description: 'Items', record: Item }) items!: Record<string, Item>;
    @IsInt() @IsNumber() @Param('How many') many!: number;
    @Param({ description: 'Note', optional: true }) note?: string;
  }

  test('classes of a record have their defaults in what a Standard Schema gives', () => {
    const { output } = toStandardSchema(Basket)['~standard'].jsonSchema;
    expect(JSON.stringify(output({ target: 'draft-2020-12' }))).toContain('"required":["count"]');
  });

  test('a strict schema is not taken for the one that is not', () => {
    const [loose, strict] = [false, true].map((flag) => schemaOf(Item, { target: 'openai', strict: flag }));
    expect(strict).not.toEqual(loose);
    expect(schemaOf(Item, { target: 'openai' })).toBe(loose);
  });

  test('whole numbers stay whole beside a rule of numbers', () => {
    expect(schemaOf(Basket)['properties']).toMatchObject({ many: { type: 'integer' } });
  });
});

describe('one of several classes', () => {
  class Cat {
    @Param('Name') name!: string;
  }
  class Owner {
    @Param('Pet')
    @Type(() => Object, { discriminator: { property: 'kind', subTypes: [{ name: 'cat', value: Cat }] } })
    pet!: object;
  }

  test.each([null, 'cat', 7, ['cat']])('%p is refused as what it is', (pet) => {
    const [issue] = issuesOf(Owner, { pet });
    expect(issue).toMatchObject({ kind: 'type', path: 'pet' });
    expect(issue?.message).toMatch(/^expected an object, got/);
  });
});
