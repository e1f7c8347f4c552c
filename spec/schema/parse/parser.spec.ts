import { Param } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { parseNothing } from '../../../src/schema/parse/parser';
import { instanceOf, issuesOf, kindsOf, parse, shapeOf } from '../reading';

class Order {
  @Param('Order id') id!: string;
  @Param({ integer: true }) limit = 5;
}

describe('values that throw while they are read are issues, not exceptions', () => {
  const broken = (): never => {
    throw new Error('torn');
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  test.each<[string, unknown]>([
    ['a getter', Object.defineProperty({}, 'id', { get: broken, enumerable: true })],
    ['a proxy', new Proxy({ id: 'a' }, { ownKeys: broken, getOwnPropertyDescriptor: broken })],
    ['a revoked proxy', revoked.proxy],
  ])('a value that throws while it is read is an issue: %s', (_what, value) => {
    expect(issuesOf(Order, value)).toEqual([
      { kind: 'type', path: '', message: expect.stringMatching(/^could not be read: /) as string },
    ]);
  });

  test('an instance that is frozen by its constructor', () => {
    class Frozen {
      @Param('N') n = 1;
      constructor() {
        Object.freeze(this);
      }
    }
    expect(kindsOf(Frozen, { n: 2 })).toEqual(['type ']);
  });
});

describe('own properties only', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'ARG-09 %s is an extra key',
    (key) => {
      const value: unknown = JSON.parse(`{"id":"a","${key}":{"polluted":true}}`);
      expect(kindsOf(Order, value)).toEqual([`extra ${key}`]);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      expect(kindsOf(Order, value)).toHaveLength(1);
    },
  );

  test('ARG-09 a required key is not found on the prototype', () => {
    class Params {
      @Param({ name: 'toString' }) text!: string;
    }
    expect(kindsOf(Params, {})).toEqual(['missing toString']);
    expect(kindsOf(Order, Object.create({ id: 'a' }))).toEqual(['missing id']);
    expect(instanceOf(Params, { toString: 'x' }).text).toBe('x');
  });

  test('ARG-09 a polluted prototype changes nothing', () => {
    const polluted = Object.prototype as unknown as Record<string, unknown>;
    polluted['id'] = 'inherited';
    try {
      expect(kindsOf(Order, {})).toEqual(['missing id']);
      expect(instanceOf(Order, { id: 'a' })).toEqual(expect.objectContaining({ id: 'a', limit: 5 }));
    } finally {
      delete polluted['id'];
    }
  });

  test('ARG-09 a record has no such keys', () => {
    class Params {
      @Param({ record: Number }) all!: Record<string, number>;
    }
    const given: unknown = JSON.parse('{"all":{"__proto__":1,"constructor":2,"toString":3}}');
    expect(kindsOf(Params, given)).toEqual(['extra all[__proto__]', 'extra all[constructor]']);
  });

  test('ARG-09 ignored extra keys do not reach the instance', () => {
    const value: unknown = JSON.parse('{"id":"a","__proto__":{"polluted":true},"zip":1}');
    const order = instanceOf(Order, value, { extra: 'ignore' });
    expect(Object.getPrototypeOf(order)).toBe(Order.prototype);
    expect(Object.keys(order).sort()).toEqual(['id', 'limit']);
  });
});

describe('null', () => {
  class Params {
    @Param({ optional: true }) absent?: string;
    @Param('N') initialised = 7;
    @Param({ default: 'x' }) defaulted!: string;
    @Param({ nullable: true }) nullable!: string;
    @Param({ nullable: true, optional: true }) both?: string | null = 'init';
    @Param('R') required!: string;
  }
  const rest = { nullable: 'a', required: 'b' };

  test('ARG-12 null counts as absence for an optional property: defaults apply', () => {
    expect(instanceOf(Params, { ...rest, absent: null, initialised: null, defaulted: null })).toEqual({
      ...rest,
      initialised: 7,
      defaulted: 'x',
      both: 'init',
    });
  });

  test('ARG-12 null is a value for a nullable property', () => {
    expect(instanceOf(Params, { ...rest, nullable: null, both: null })).toMatchObject({ nullable: null, both: null });
    expect(kindsOf(Params, { required: 'b' })).toEqual(['missing nullable']);
  });

  test('ARG-12 null is an issue of the kind type for every other property', () => {
    expect(kindsOf(Params, { ...rest, required: null })).toEqual(['type required']);
  });

  test('ARG-12 in an enum is one of its values', () => {
    class Choice {
      @Param({ enum: ['a', null], optional: true }) v?: string | null;
    }
    expect(instanceOf(Choice, { v: null })).toEqual({ v: null });
    expect(instanceOf(Choice, {})).toEqual({});
  });

  test('ARG-12 a default of null makes a property nullable', () => {
    class Choice {
      @Param({ type: String, default: null }) v!: string | null;
      @Param({ type: String }) w: string | null = null;
    }
    expect(instanceOf(Choice, {})).toEqual({ v: null, w: null });
    expect(instanceOf(Choice, { v: null, w: 'x' })).toEqual({ v: null, w: 'x' });
    expect(writeClassSchema(shapeOf(Choice))).toMatchObject({
      properties: { v: { type: ['string', 'null'], default: null } },
    });
  });
});

describe('numbers at the edge', () => {
  class Params {
    @Param({ optional: true }) n?: number;
    @Param({ optional: true, integer: true }) i?: number;
  }

  test('ARG-13 1e400 is no number', () => {
    expect(kindsOf(Params, JSON.parse('{"n":1e400,"i":-1e400}'))).toEqual(['type n', 'type i']);
  });

  test('ARG-13 -0 and 1e-400 survive', () => {
    const { n, i } = instanceOf(Params, JSON.parse('{"n":1e-400,"i":-0}'));
    expect(n).toBe(0);
    expect(Object.is(i, -0)).toBe(true);
  });
});

describe('depth', () => {
  class Node {
    @Param({ type: () => Node, optional: true }) child?: Node;
  }
  class Free {
    @Param({ type: 'any' }) v!: unknown;
  }
  const nested = (levels: number): object => {
    let value: object = {};
    for (let level = 1; level < levels; level++) value = { child: value };
    return value;
  };

  test.each([Node, Free])('ARG-17 over 64 levels is refused as a whole: %p', (type) => {
    const wrap = (value: object): object => (type === Free ? { v: value } : { child: value });
    expect(parse(type, wrap(nested(64)))).toMatchObject({ ok: true });
    expect(issuesOf(type, wrap(nested(65)))).toEqual([
      { kind: 'constraint', path: '', message: 'expected at most 64 levels of nesting, got more' },
    ]);
    expect(kindsOf(type, wrap(nested(50_000)))).toEqual(['constraint ']);
  });

  test('ARG-17 a value that contains itself is refused', () => {
    const value: { child?: object } = {};
    value.child = value;
    expect(kindsOf(Node, value)).toEqual(['constraint ']);
  });
});

describe('a tool without params', () => {
  test('a tool without params takes nothing but {}', () => {
    expect(parseNothing({})).toEqual({ ok: true, value: null });
    expect(parseNothing({ a: 1, b: 2 })).toMatchObject({
      ok: false,
      issues: [
        { kind: 'extra', path: 'a' },
        { kind: 'extra', path: 'b' },
      ],
    });
    for (const value of [null, [], 'x', 5])
      expect(parseNothing(value)).toMatchObject({ issues: [{ kind: 'type', path: '' }] });
  });

  test('ARG-09 a tool without params takes no __proto__ either', () => {
    expect(parseNothing(JSON.parse('{"__proto__":1}'))).toMatchObject({ ok: false, issues: [{ path: '__proto__' }] });
  });

  test('ARG-18 a tool without params says no more than twenty of a thousand keys', () => {
    const outcome = parseNothing(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1])));
    expect(outcome.ok ? [] : outcome.issues).toHaveLength(20);
  });
});
