import { freezePlain, getOwnValue } from '../../src/common/objects.js';

describe('freezePlain', () => {
  test('freezePlain freezes objects and arrays deeply, and returns the same value', () => {
    const value = { list: [{ deep: [1] }], record: { a: { b: {} } }, text: 'x', none: null };
    expect(freezePlain(value)).toBe(value);
    const all = [value, value.list, value.list[0], value.list[0]?.deep, value.record, value.record.a, value.record.a.b];
    expect(all.every((part) => Object.isFrozen(part))).toBe(true);
  });

  test('freezePlain leaves functions, classes and instances alone', () => {
    class Order {
      lines: number[] = [];
    }
    const order = new Order();
    const callback = Object.assign(() => undefined, { state: {} });
    const map = new Map([['a', {}]]);
    freezePlain({ order, callback, map, Order });
    expect([order, order.lines, callback, callback.state, map, Order].map((part) => Object.isFrozen(part))).toEqual(
      Array.from({ length: 6 }, () => false),
    );
  });

  test('freezePlain ends for values that contain themselves', () => {
    const ring: { self?: object; list: object[] } = { list: [] };
    ring.self = ring;
    ring.list.push(ring);
    expect(Object.isFrozen(freezePlain(ring).list)).toBe(true);
  });

  test.each([1, 'x', null, undefined, true, Symbol.iterator])('%p is what it was', (value) => {
    expect(freezePlain(value)).toBe(value);
  });
});

describe('getOwnValue', () => {
  test('getOwnValue reads only own properties of objects', () => {
    expect([getOwnValue({ a: 1 }, 'a'), getOwnValue(['x'], 0)]).toEqual([1, 'x']);
    expect([getOwnValue({}, 'toString'), getOwnValue(null, 'a'), getOwnValue('text', 'length')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
