import { Exclude, Expose } from 'class-transformer';
import { Field } from 'toolwright';
import { dump, parse } from 'toolwright/schema';

class Line {
  @Field({ name: 'item_id' }) itemId = 'lamp';
  @Field({ type: String, nullable: true }) note: string | null = null;
}

class Order {
  @Field('Order id') @Expose({ name: 'order_id' }) orderId = '#W1';
  @Field({ type: () => [Line] }) lines = [new Line()];
  @Exclude() secret = 'hidden';
  @Field('Placed') placed = new Date(0);
}

function* rows(): Generator<number> {
  yield 1;
}
async function* pages(): AsyncGenerator<number> {
  yield await Promise.resolve(1);
}

describe('dump', () => {
  test('dump writes instances by their wire names, without what is excluded', () => {
    const written = { order_id: '#W1', lines: [{ item_id: 'lamp', note: null }], placed: '1970-01-01T00:00:00.000Z' };
    expect(dump(new Order())).toEqual(written);
    expect(dump([new Order()])).toEqual([written]);
    expect(dump({ order: new Order() })).toEqual({ order: written });
  });

  test('dump leaves null out of instances if told so, never out of plain records', () => {
    expect(dump(new Line(), { excludeNone: true })).toEqual({ item_id: 'lamp' });
    expect(dump({ note: null }, { excludeNone: true })).toEqual({ note: null });
    expect(dump(new Line(), { excludeNone: false })).toEqual({ item_id: 'lamp', note: null });
  });

  test('a dumped value can be parsed again', () => {
    const order = Object.assign(new Line(), { itemId: 'desk' });
    expect(parse(Line, dump(order))).toEqual(order);
  });

  test.each<[string, unknown, unknown]>([
    ['undefined', undefined, undefined],
    ['null', null, null],
    ['a text', 'x', 'x'],
    ['not a number', Number.NaN, 'NaN'],
    ['a bigint', 5n, '5'],
    ['a map', new Map([['a', 1]]), [['a', 1]]],
    ['an error', new TypeError('broken'), { name: 'TypeError', message: 'broken' }],
    ['a promise', Promise.resolve(1), '[promise]'],
    ['an iterator', rows(), '[iterator]'],
    ['an async iterable', { list: [pages()] }, { list: ['[async iterable]'] }],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }],
  ])('dump writes %s', (_what, value, written) => {
    expect(dump(value)).toEqual(written);
  });

  test('dump never throws: cycles, getters that do, revoked proxies', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(dump(circle)).toEqual({ self: '[circular]' });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(dump(proxy)).toBe('[value that cannot be read]');
    expect(dump([proxy])).toEqual(['[value that cannot be read]']);
    const trap = Object.defineProperty({}, 'constructor', {
      get: () => {
        throw new TypeError('no');
      },
    });
    expect(dump(trap)).toBe('[value that cannot be read]');
  });
});
