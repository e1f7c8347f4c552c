import fc from 'fast-check';
import { isArray } from '../../src/common/guards.js';
import { describeValue, didYouMean, keyText, joinBounded, messageOf, quote } from '../../src/common/text.js';

/** Values that throw, lie or run code when they are looked at. */
function hostileValues(): readonly (readonly [string, unknown])[] {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const callable = Proxy.revocable(() => undefined, {});
  callable.revoke();
  const list = Proxy.revocable([1], {});
  list.revoke();
  const throwing = () => {
    throw new TypeError('looked at');
  };
  return [
    ['an object without prototype', Object.create(null)],
    ['a revoked proxy', proxy],
    ['a revoked function proxy', callable.proxy],
    ['a revoked array proxy', list.proxy],
    ['a proxy whose traps throw', new Proxy({}, { get: throwing, getPrototypeOf: throwing, has: throwing })],
    ['an object whose toString throws', { toString: throwing, [Symbol.toPrimitive]: throwing }],
    ['an object whose message throws', Object.defineProperty({}, 'message', { get: throwing })],
    ['an error whose message throws', Object.defineProperty(new Error('x'), 'message', { get: throwing })],
    ['an error whose message is a number', Object.assign(new Error('x'), { message: 5 })],
    ['an error whose message is an object', Object.assign(new Error('x'), { message: { a: 1 } })],
    ['an error without message whose name is undefined', Object.assign(new Error(''), { name: undefined })],
    ['a symbol', Symbol('secret')],
    ['a symbol without description', Symbol()],
    ['a bigint', 12n],
    ['NaN', Number.NaN],
    ['undefined', undefined],
    ['null', null],
    ['a function', throwing],
    ['a class', class Order {}],
  ];
}

describe('quote', () => {
  test.each([
    ['text', '"text"'],
    ['say "hi"', '"say \\"hi\\""'],
    ['two\nlines', '"two\\nlines"'],
    ['tab\tnul\u0000', '"tab\\tnul\\u0000"'],
    ['', '""'],
  ])('quote turns %j into %s', (value, expected) => {
    expect(quote(value)).toBe(expected);
  });

  test('a value other than a text is described, not printed', () => {
    expect(quote({ a: 1 })).toBe('"an object"');
    expect(quote(undefined)).toBe('"undefined"');
  });

  test('80 characters stay, the 81st is cut, and the length is shown', () => {
    expect(quote('x'.repeat(80))).toBe(`"${'x'.repeat(80)}"`);
    expect(quote('x'.repeat(81))).toBe(`"${'x'.repeat(80)}… (81 characters)"`);
    expect(quote('abcdef', 3)).toBe('"abc… (6 characters)"');
  });

  test('any text becomes one line without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (value) => {
        expect(quote(value)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });

  test.each(['\u007f', '\u0085', '\u009b', '\u2028', '\u2029'])('%j does not get through', (character) => {
    expect(quote(`a${character}b`)).not.toContain(character);
  });
});

describe('describeValue', () => {
  test.each([
    [null, 'null'],
    [undefined, 'undefined'],
    ['x', 'the string "x"'],
    [5, 'the number 5'],
    [Number.NaN, 'the number NaN'],
    [true, 'the boolean true'],
    [12n, 'the bigint 12'],
    [Symbol('s'), 'the symbol Symbol(s)'],
    [[1, 2], 'an array of 2'],
    [{}, 'an object'],
    [new Map(), 'an object'],
    [() => 1, 'a function'],
  ])('describeValue describes %p as %s', (value, expected) => {
    expect(describeValue(value)).toBe(expected);
  });

  test('describeValue cuts long strings', () => {
    expect(describeValue('x'.repeat(41))).toBe(`the string "${'x'.repeat(40)}… (41 characters)"`);
  });

  test('describeValue runs no code of the value', () => {
    const looks: string[] = [];
    const look = (name: string) => () => {
      looks.push(name);
      return undefined;
    };
    const value = { toString: look('toString'), toJSON: look('toJSON'), [Symbol.toPrimitive]: look('toPrimitive') };
    expect(describeValue(value)).toBe('an object');
    expect(looks).toEqual([]);
  });

  test.each(hostileValues())('%s is described without an exception', (_case, value) => {
    expect(describeValue(value)).toMatch(/\S/);
  });
});

describe('messageOf', () => {
  test.each([
    [new Error('no stock'), 'no stock'],
    [new TypeError(''), 'TypeError'],
    ['no stock', 'no stock'],
    [{ message: 'no stock' }, 'no stock'],
    [{ message: 5 }, 'an object'],
    [{}, 'an object'],
    [null, 'null'],
    [undefined, 'undefined'],
    [404, '404'],
    [12n, '12'],
    [Symbol('s'), 'Symbol(s)'],
    [Object.create(null), 'an object'],
  ])('messageOf reads from %p the message %j', (thrown, expected) => {
    expect(messageOf(thrown)).toBe(expected);
  });

  test.each(hostileValues())('%s becomes text, whatever it does', (_case, thrown) => {
    expect(typeof messageOf(thrown)).toBe('string');
  });

  test('any value becomes text', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }), (thrown) => {
        expect(typeof messageOf(thrown)).toBe('string');
        expect(typeof describeValue(thrown)).toBe('string');
      }),
    );
  });
});

describe('didYouMean', () => {
  test.each([
    ['primryTool', ['primaryTool', 'secondTool'], ' Did you mean "primaryTool"?'],
    ['get_ordr', ['get_order', 'get_orders', 'ping'], ' Did you mean "get_order" or "get_orders"?'],
    ['STATUS', ['status'], ' Did you mean "status"?'],
    ['weather', ['ping', 'pong'], ''],
    ['x', ['y', 'z'], ''],
    ['', ['a'], ''],
    ['anything', [], ''],
  ])('didYouMean compares %j with %j: %j', (word, candidates, expected) => {
    expect(didYouMean(word, candidates)).toBe(expected);
  });

  test('didYouMean offers three names at most, nearest first', () => {
    expect(didYouMean('status', ['stati', 'statuses', 'status1', 'state', 'status'])).toBe(
      ' Did you mean "status" or "status1" or "stati"?',
    );
  });

  test('didYouMean stays quick for hostile input', () => {
    const started = performance.now();
    didYouMean(
      'a'.repeat(1_000_000),
      Array.from({ length: 200 }, () => 'b'.repeat(100_000)),
    );
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('listed', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `n${String(index)}`);

  test('a list shows as many as its limit, and counts the rest', () => {
    expect(joinBounded([])).toBe('');
    expect(joinBounded(['a', 'b'])).toBe('a, b');
    expect(joinBounded(names(20))).toBe(names(20).join(', '));
    expect(joinBounded(names(21))).toBe(`${names(20).join(', ')} and 1 more`);
    expect(joinBounded(['a', 'b', 'c'], 1)).toBe('a and 2 more');
  });
});

describe('keyText', () => {
  test.each(['orderId', 'order_id', 'order-id', '$ref', '0', 'a'.repeat(64)])('%j is kept as it is', (key) => {
    expect(keyText(key)).toBe(key);
  });

  test.each(['', 'a b', 'a.b', 'a\nb', 'größe', 'a'.repeat(65)])('keyText quotes the key %j', (key) => {
    expect(keyText(key)).toBe(quote(key, 40));
  });
});

describe('isArray', () => {
  test('isArray knows arrays, and never throws', () => {
    const revoked = Proxy.revocable([], {});
    revoked.revoke();
    expect([isArray([]), isArray(new Array(2)), isArray({ length: 0 }), isArray('x'), isArray(null)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(isArray(revoked.proxy)).toBe(false);
  });
});
