import { brand } from '../../src/common/brand.js';

describe('brand', () => {
  test('instanceof of a branded class knows its instances and those of subclasses', () => {
    class Order {}
    class Other {}
    class Refund extends Order {}
    brand(Order, 'spec/Order');
    brand(Other, 'spec/Other');
    expect(new Order() instanceof Order).toBe(true);
    expect(new Refund() instanceof Order).toBe(true);
    expect(new Order() instanceof Other).toBe(false);
  });

  test('instanceof of a subclass, branded or not, rejects instances of its base', () => {
    class Order {}
    class Refund extends Order {}
    class Return extends Order {}
    brand(Order, 'spec/Base');
    brand(Return, 'spec/Return');
    expect([new Order() instanceof Refund, new Refund() instanceof Refund]).toEqual([false, true]);
    expect([new Order() instanceof Return, new Return() instanceof Return]).toEqual([false, true]);
    expect([new Refund() instanceof Return, new Return() instanceof Refund]).toEqual([false, false]);
    expect([new Return() instanceof Order, (null as unknown) instanceof Refund]).toEqual([true, false]);
  });

  test('instanceof knows the instances of the class of another copy', () => {
    const [Here, There] = [0, 1].map(() => {
      class Order {}
      brand(Order, 'spec/Copied');
      return Order;
    });
    expect(new Here!() instanceof There!).toBe(true);
    expect(new There!() instanceof Here!).toBe(true);
  });

  test('a brand cannot be seen, changed or copied by spreading', () => {
    class Order {
      id = 1;
    }
    brand(Order, 'spec/Hidden');
    const order = new Order();
    expect(Reflect.ownKeys(order)).toEqual(['id']);
    expect(Object.assign({}, order) instanceof Order).toBe(false);
    expect(JSON.stringify(order)).toBe('{"id":1}');
    expect(Reflect.set(Order.prototype, Symbol.for('toolwright/spec/Hidden'), false)).toBe(false);
    expect(order instanceof Order).toBe(true);
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
    class Order {}
    brand(Order, 'spec/Order');
    expect((value as unknown) instanceof Order).toBe(false);
  });
});
