import fc from 'fast-check';
import { deepCopy } from '../../../src/session/state/deepCopy.js';

class Inner {
  constructor(readonly list: unknown[]) {}
}

class Outer {
  inner = new Inner([1]);
  at = new Date(5);
  names = new Map<unknown, unknown>([['a', new Set([1])]]);
}

class Sealed {
  readonly #secret = 1;

  get secret(): number {
    return this.#secret;
  }
}

/** Every object that can be reached. */
function objectsIn(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found;
  found.add(value);
  if (value instanceof Map) for (const entry of value) for (const each of entry) objectsIn(each, found);
  if (value instanceof Set) for (const each of value) objectsIn(each, found);
  for (const key of Reflect.ownKeys(value)) objectsIn(Reflect.get(value, key), found);
  return found;
}

describe('deepCopy', () => {
  test('a copy of JSON is equal to it and shares no object with it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { copy } = deepCopy(value) ?? {};
        expect(copy).toStrictEqual(value);
        const originals = objectsIn(value);
        for (const each of objectsIn(copy)) expect(originals.has(each)).toBe(false);
      }),
    );
  });

  test('instances keep their classes, dates, maps, sets and symbol keys, and share nothing', () => {
    const original = Object.assign(new Outer(), { [Symbol.for('mark')]: [1] });
    const { copy } = deepCopy(original) ?? {};
    expect(copy).toStrictEqual(original);
    const originals = objectsIn(original);
    for (const each of objectsIn(copy)) expect(originals.has(each)).toBe(false);
  });

  test('a property keeps what it allows, and the name of an inherited one', () => {
    class Base {
      get label(): string {
        return this.constructor.name;
      }
    }
    const properties = [true, false].flatMap((writable) =>
      [true, false].flatMap((enumerable) =>
        [true, false].map((configurable) => ({ writable, enumerable, configurable, value: [1] })),
      ),
    );
    const original = Object.defineProperties(new Base(), {
      ...Object.fromEntries(properties.map((property, index) => [`of${String(index)}`, property])),
      label: { value: 'own', writable: true, enumerable: true, configurable: true },
    });
    const { copy } = deepCopy(original) ?? {};
    expect(copy).toBeInstanceOf(Base);
    expect(Object.getOwnPropertyDescriptors(copy)).toEqual(Object.getOwnPropertyDescriptors(original));
  });

  test('a list with holes and names of its own keeps both', () => {
    const original = Object.assign([1, undefined, [3]], { note: 'x' });
    original.length = 5;
    const { copy } = deepCopy(original) ?? {};
    expect(copy).toStrictEqual(original);
    expect(Object.keys(copy as object)).toEqual(['0', '1', '2', 'note']);
  });

  test('an error while reading is passed on', () => {
    const fail = (): never => {
      throw new RangeError('hostile');
    };
    expect(() => deepCopy(new Proxy({}, { ownKeys: fail }))).toThrow(new RangeError('hostile'));
  });

  test('a value that is reached twice, and one that reaches itself, stay one', () => {
    const shared = { a: 1 };
    const original: Record<string, unknown> = { one: shared, other: shared };
    original['self'] = original;
    const { copy } = deepCopy(original) as { readonly copy: Record<string, unknown> };
    expect(copy['one']).toBe(copy['other']);
    expect(copy['self']).toBe(copy);
    expect(copy['one']).not.toBe(shared);
  });

  test('a list of a subclass keeps its class', () => {
    class Lines extends Array<{ at: number }> {
      total = 1;
    }
    const original = new Lines();
    original.push({ at: 1 });
    const { copy } = deepCopy(original) as { readonly copy: Lines };
    expect(copy).toBeInstanceOf(Lines);
    expect(copy).toStrictEqual(original);
    expect(copy[0]).not.toBe(original[0]);
  });

  test.each([
    ['#private state', new Sealed()],
    [
      'a list with #private state',
      new (class Lines extends Array {
        #total = 1;
        total = (): number => this.#total;
      })(),
    ],
    ['an accessor of its own', Object.defineProperty({}, 'a', { get: () => 1, enumerable: true })],
    ['a proxy that lists what it does not have', new Proxy({}, { ownKeys: () => ['a'] })],
    ['a regular expression', /a/],
    ['a typed array', new Uint8Array(1)],
    ['a promise', Promise.resolve(1)],
    ['a map of a subclass', new (class Own extends Map {})()],
    ['a set of a subclass', new (class Own extends Set {})()],
    ['a date of a subclass', new (class Own extends Date {})()],
  ])('deepCopy does not copy %s', (_what, value) => {
    expect(deepCopy({ value })).toBeUndefined();
  });
});
