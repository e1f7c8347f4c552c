import fc from 'fast-check';
import { Field, Param } from 'toolwright';
import { renderValue } from '../../../src/dispatch/finish/renderResult';
import type { TypeShape } from '../../../src/metadata/ClassShape';
import { readDeclaredPattern } from '../../../src/schema/pattern/readDeclaredPattern';
import { needsType, Serialiser } from '../../../src/schema/write/createSerialiser';
import { ShapeReader } from '../../../src/schema/read/ShapeReader';
import { collectGarbage } from '../../session/collectGarbage';
import { instanceOf, shapeOf } from '../reading';

const plain = (value: unknown): unknown => new Serialiser().toPlain(value);
const toJson = (value: unknown): string =>
  value === null ? 'null' : renderValue(value, { serialiser: new Serialiser(), limit: Number.POSITIVE_INFINITY });

class Item {
  @Field('Article') articleName = 'pen';
  @Field({ name: 'pieces' }) qty = 2;
}
class Marked extends Item {
  undeclared = true;
}

describe('class instances', () => {
  test('class instances are written by their wire names, with undeclared properties under their own', () => {
    expect(plain(new Marked())).toEqual({ articleName: 'pen', pieces: 2, undeclared: true });
    expect(new Serialiser('snake_case').toPlain(new Marked())).toEqual({
      article_name: 'pen',
      pieces: 2,
      undeclared: true,
    });
  });

  test('class instances are written at any depth, in lists and records', () => {
    expect(plain({ list: [new Marked()], map: new Map([['a', new Marked()]]) })).toEqual({
      list: [{ articleName: 'pen', pieces: 2, undeclared: true }],
      map: [['a', { articleName: 'pen', pieces: 2, undeclared: true }]],
    });
  });

  test('inherit the names of their parents', () => {
    class Special extends Marked {
      @Field({ name: 'extra' }) more = 1;
    }
    expect(plain(new Special())).toEqual({ articleName: 'pen', pieces: 2, extra: 1, undeclared: true });
  });

  test('a redeclared property keeps the name and the secrecy of its first declaration, as in the schema', () => {
    class Account {
      @Param({ name: 'account_no' }) number = '7';
      @Param({ internal: true }) token = 'sk-1';
    }
    class Savings extends Account {
      @Param('The number of the account') override number = '8';
      @Param('How it is opened') override token = 'sk-2';
    }
    expect(plain(new Savings())).toEqual({ account_no: '8' });
    expect(shapeOf(Savings).fields.map(({ wireName }) => wireName)).toEqual(['account_no']);
  });

  test('class instances come back through the parser as they were', () => {
    class Params {
      @Param({ name: 'order_id' }) id!: string;
      @Param('When') at!: Date;
      @Param({ type: [Item] }) items!: Item[];
      @Param({ record: Number, optional: true }) prices?: Record<string, number>;
    }
    const wire = {
      order_id: 'a',
      at: '2030-01-01T00:00:00.000Z',
      items: [{ articleName: 'x', pieces: 3 }],
      prices: { a: 1 },
    };
    const params = instanceOf(Params, wire);
    const written = plain(params) as Record<string, unknown>;
    expect({ ...written, items: [{ articleName: 'x', pieces: 3 }] }).toEqual(wire);
  });
});

describe('null and undefined', () => {
  class Row {
    a: unknown = null;
    b: unknown = undefined;
    c: unknown = 1;
  }
  test('null and undefined are dropped in class instances if the caller says so, and kept in plain records', () => {
    const serialiser = new Serialiser();
    expect(serialiser.toPlain(new Row(), { excludeNone: true })).toEqual({ c: 1 });
    expect(serialiser.toPlain(new Row())).toEqual({ a: null, c: 1 });
    expect(serialiser.toPlain({ a: null, inner: new Row() }, { excludeNone: true })).toEqual({
      a: null,
      inner: { c: 1 },
    });
    expect(serialiser.toPlain([null, undefined, new Row()], { excludeNone: true })).toEqual([null, null, { c: 1 }]);
  });
});

describe('plain rows of a declared type', () => {
  class Order {
    @Field({ name: 'order_id' }) id!: string;
    @Field({ type: [Item] }) items!: Item[];
  }
  test('plain rows of a declared type are written like instances of it', () => {
    const type = { kind: 'object', shape: shapeOf(Order) } as const;
    expect(needsType(type)).toBe(true);
    expect(new Serialiser().toPlain({ id: 'a', items: [{ articleName: 'x', qty: 1 }] }, { type })).toEqual({
      order_id: 'a',
      items: [{ articleName: 'x', pieces: 1 }],
    });
  });

  test('a type that contains itself without a class needs no type, and one beside it does', () => {
    const list = { kind: 'array', items: undefined as unknown as TypeShape };
    const nested = Object.assign(list, { items: list }) as TypeShape;
    expect(needsType(nested)).toBe(false);
    const rows: TypeShape = { kind: 'object', shape: shapeOf(Order) };
    expect(needsType({ kind: 'tuple', items: [nested, rows] })).toBe(true);
  });

  test('plain rows of a declared type need their type each time', () => {
    const type = { kind: 'object', shape: shapeOf(Order) } as const;
    expect([needsType(type), needsType(type)]).toEqual([true, true]);
  });

  test('plain rows of a declared type need their type wherever a name differs, in whatever order classes that lead back to each other are met', () => {
    class Note {
      @Field({ name: 'note_text' }) text!: string;
    }
    class Person {
      @Field({ type: () => Firm, optional: true }) firm?: unknown;
    }
    class Team {
      @Field({ type: () => Person, optional: true }) head?: unknown;
      @Field({ type: Note, optional: true }) note?: Note;
    }
    class Firm {
      @Field({ type: () => Team, optional: true }) team?: unknown;
    }
    const reader = new ShapeReader('as-is', readDeclaredPattern);
    const types = [Firm, Person, Team].map((type) => ({ kind: 'object', shape: reader.read(type) }) as const);
    expect(types.map(needsType)).toEqual([true, true, true]);
  });

  test('plain rows of a declared type need no type where no name differs', () => {
    class Simple {
      @Field('A') a!: string;
    }
    expect(needsType({ kind: 'array', items: { kind: 'object', shape: shapeOf(Simple) } })).toBe(false);
    expect(needsType({ kind: 'record', values: { kind: 'object', shape: shapeOf(Item) } })).toBe(true);
  });
});

describe('values that JSON cannot hold', () => {
  test.each<[string, unknown, unknown]>([
    ['a BigInt', 12n, '12'],
    ['NaN', Number.NaN, 'NaN'],
    ['Infinity', Number.NEGATIVE_INFINITY, '-Infinity'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a function', function named() {}, '[function]'],
    ['a class', Item, '[function]'],
    ['a Date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid Date', new Date(Number.NaN), 'Invalid Date'],
    ['an Error', new TypeError('no'), { name: 'TypeError', message: 'no' }],
    ['a Map', new Map<unknown, unknown>([[1, new Set(['a'])]]), [[1, ['a']]]],
    ['a Set', new Set([1n]), ['1']],
    ['a Buffer', Buffer.from('ab'), '[Buffer: 2 bytes]'],
    ['a typed array', new Float64Array(2), '[Float64Array: 16 bytes]'],
    ['a DataView', new DataView(new ArrayBuffer(3)), '[DataView: 3 bytes]'],
    ['undefined in a list', [undefined], [null]],
    ['a list with holes', Object.assign(new Array<unknown>(3), [1]), [1, null, null]],
  ])('HAND-13 %s has a defined form', (_what, value, expected) => {
    expect(JSON.parse(JSON.stringify({ v: plain(value) }))).toEqual({ v: expected });
  });

  test('a circle is cut where it closes; what is only used twice is written twice', () => {
    const inner = { n: 1 };
    const outer: Record<string, unknown> = { a: inner, b: inner, list: [] };
    (outer['list'] as unknown[]).push(outer);
    expect(plain(outer)).toEqual({ a: { n: 1 }, b: { n: 1 }, list: ['[circular]'] });
  });

  test('HAND-18 a value that cannot be read says so', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const hostile = {
      ok: 1,
      get bad(): never {
        throw new Error('no');
      },
    };
    expect(plain(proxy)).toEqual(expect.any(String));
    expect(plain([1, proxy])).toEqual([1, expect.any(String)]);
    expect(JSON.stringify(plain(hostile))).toContain('cannot be read');
  });

  test('an instance of a class without declarations says itself what it is', () => {
    class Decimal {
      readonly digits = [1, 5, 0];
      toJSON(): string {
        return '1.50';
      }
    }
    class Price {
      @Field('Amount') amount = new Decimal();
      toJSON(): string {
        return 'declarations go first';
      }
    }
    class Stubborn {
      readonly a = 1;
      toJSON(): this {
        return this;
      }
    }
    class Endless {
      toJSON(): Endless {
        return new Endless();
      }
    }
    class Broken {
      toJSON(): never {
        throw new Error('no');
      }
    }
    expect(plain({ url: new URL('https://example.org/a'), price: new Price() })).toEqual({
      url: 'https://example.org/a',
      price: { amount: '1.50' },
    });
    expect(plain([new Stubborn(), new Endless(), new Broken()])).toEqual([
      { a: 1 },
      '[nested too deeply]',
      '[value that cannot be read]',
    ]);
    expect(plain({ a: 1, toJSON: () => 'a plain row stays one' })).toMatchObject({ a: 1 });
  });

  test('a key named __proto__ stays a key', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"b":2n}'.replace('2n', '2'));
    expect(JSON.stringify(plain(value))).toBe('{"__proto__":{"a":1},"b":2}');
    expect(toJson(value)).toBe('{"__proto__":{"a":1},"b":2}');
    expect(JSON.stringify(plain({ inner: value, x: 1n }))).toBe('{"inner":{"__proto__":{"a":1},"b":2},"x":"1"}');
  });
});

describe('as text', () => {
  test('a serialiser writes compact JSON, and leaves a text as it is', () => {
    expect(toJson({ a: [1, 'x', null, true] })).toBe('{"a":[1,"x",null,true]}');
    expect(toJson('text')).toBe('text');
    expect(toJson(12n)).toBe('12');
    expect(toJson([12n])).toBe('["12"]');
  });

  test('a serialiser returns the same with and without a copy', () => {
    const serialiser = new Serialiser();
    const hidden = { toJSON: () => 'hidden', a: 1 };
    expect(toJson({ v: hidden })).toBe(toJson({ v: hidden, n: 1n }).replace(',"n":"1"', ''));
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        if (typeof value === 'string') expect(toJson(value)).toBe(value);
        else expect(toJson(value)).toBe(JSON.stringify(serialiser.toPlain(value)));
      }),
    );
  });

  test('writing as text never throws, and returns JSON for an object', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withTypedArray: true,
      withBoxedValues: true,
      maxDepth: 4,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const text = toJson([value]);
        expect(JSON.parse(text)).toHaveLength(1);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([100, 10_000, 1_000_000])('a serialiser writes %d levels as text', (levels) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = [value];
    expect(() => JSON.parse(toJson(value)) as unknown).not.toThrow();
  });
});

test('a serialiser does not keep the classes that it has written', async () => {
  const serialiser = new Serialiser();
  const written = (): WeakRef<object> => {
    class Passing {
      a = 1;
    }
    expect(serialiser.toPlain(new Passing())).toEqual({ a: 1 });
    return new WeakRef(Passing);
  };
  const kept = Array.from({ length: 5 }, written);
  // A reference that was just made holds its class until the task is over.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(kept.filter((reference) => reference.deref() !== undefined).length).toBeLessThan(5);
  expect(serialiser.toPlain(new Marked())).toEqual({ articleName: 'pen', pieces: 2, undeclared: true });
});
