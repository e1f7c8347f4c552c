import { className, isClass, isInstance, classChain, memberLabel, resolveClass } from '../../src/common/classes.js';

describe('isClass', () => {
  test('isClass knows classes, abstract ones and old constructor functions', () => {
    abstract class Abstract {}
    const old = function Old() {};
    for (const type of [class {}, Abstract, old, Date]) expect(isClass(type)).toBe(true);
  });

  test.each([
    ['an arrow function', () => class {}],
    ['an asynchronous function', async () => undefined],
    ['a method', { method() {} }.method],
    ['undefined', undefined],
    ['null', null],
    ['an instance', new Date()],
    ['a name', 'Order'],
  ])('isClass refuses %s', (_case, value) => {
    expect(isClass(value)).toBe(false);
  });
});

describe('resolveClass', () => {
  test('resolveClass returns a class as it is, and the result of a thunk', () => {
    class Order {}
    expect(resolveClass(Order)).toBe(Order);
    expect(resolveClass(() => Order)).toBe(Order);
  });

  test.each([
    ['undefined', undefined],
    ['a thunk of undefined', () => undefined],
    ['a thunk of a thunk', () => () => class {}],
    ['a thunk of an instance', () => new Date()],
    ['an object', {}],
    ['a name', 'Order'],
  ])('resolveClass resolves %s to undefined', (_case, reference) => {
    expect(resolveClass(reference)).toBeUndefined();
  });

  test('a class is never called as a thunk', () => {
    let built = 0;
    class Order {
      constructor() {
        built++;
      }
    }
    resolveClass(Order);
    expect(built).toBe(0);
  });
});

describe('labels', () => {
  test('a class is named, an anonymous one labelled', () => {
    class Order {}
    expect(className(Order)).toBe('Order');
    expect(className((() => class {})())).toBe('(anonymous class)');
    expect(className(undefined)).toBe('(anonymous class)');
    expect(className('Order')).toBe('(anonymous class)');
  });

  test('a class with a static member called name still has a label', () => {
    class Order {}
    Object.defineProperty(Order, 'name', { value: () => 'x' });
    expect(typeof className(Order)).toBe('string');
  });

  test('a member follows its class', () => {
    class Order {}
    expect(memberLabel(Order, 'cancel')).toBe('Order.cancel');
    expect(memberLabel(Order, Symbol('cancel'))).toBe('Order.Symbol(cancel)');
    expect(memberLabel(Order, undefined)).toBe('Order');
  });
});

describe('lineage', () => {
  test('lineage goes from the class to its eldest ancestor, without Object', () => {
    class A {}
    class B extends A {}
    class C extends B {}
    expect(classChain(C)).toEqual([C, B, A]);
    expect(classChain(A)).toEqual([A]);
  });

  test('lineage knows built-in ancestors and a class that extends null', () => {
    class Orders extends Map {}
    expect(classChain(Orders)).toEqual([Orders, Map]);
    class Nothing extends (null as unknown as new () => object) {}
    expect(classChain(Nothing)).toEqual([Nothing]);
  });
});

describe('isInstance', () => {
  test('isInstance answers like instanceof, and never throws', () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(isInstance(new TypeError('x'), Error)).toBe(true);
    expect(isInstance({}, Error)).toBe(false);
    expect(isInstance(null, Error)).toBe(false);
    expect(isInstance(revoked.proxy, Error)).toBe(false);
  });
});
