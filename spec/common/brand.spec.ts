import { brand, hasBrand } from '../../src/common/brand.js';

describe('brand', () => {
  test('marks instances, and those of subclasses', () => {
    class Order {}
    class Refund extends Order {}
    brand(Order, 'spec/Order');
    expect(hasBrand(new Order(), 'spec/Order')).toBe(true);
    expect(hasBrand(new Refund(), 'spec/Order')).toBe(true);
    expect(hasBrand(new Order(), 'spec/Other')).toBe(false);
  });

  test('marks another class of the same name in another copy', () => {
    const copies = [0, 1].map(() => {
      class Order {}
      brand(Order, 'spec/Copied');
      return Order;
    });
    for (const Order of copies) expect(hasBrand(new Order(), 'spec/Copied')).toBe(true);
  });

  test('a brand cannot be seen, changed or copied by spreading', () => {
    class Order {
      id = 1;
    }
    brand(Order, 'spec/Hidden');
    const order = new Order();
    expect(Reflect.ownKeys(order)).toEqual(['id']);
    expect(hasBrand(Object.assign({}, order), 'spec/Hidden')).toBe(false);
    expect(JSON.stringify(order)).toBe('{"id":1}');
    expect(Reflect.set(Order.prototype, Symbol.for('toolwright/spec/Hidden'), false)).toBe(false);
    expect(hasBrand(order, 'spec/Hidden')).toBe(true);
  });

  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  test.each([
    ['null', null],
    ['undefined', undefined],
    ['text', 'toolwright/spec/Order'],
    ['a number', 1],
    ['a symbol', Symbol.for('toolwright/spec/Order')],
    ['an object', {}],
    ['an object without prototype', Object.create(null)],
    ['a function', () => undefined],
    ['a revoked proxy', revoked.proxy],
    ['a mark that is not true', { [Symbol.for('toolwright/spec/Order')]: 1 }],
  ])('%s has no brand, and nothing is thrown', (_case, value) => {
    expect(hasBrand(value, 'spec/Order')).toBe(false);
  });
});
