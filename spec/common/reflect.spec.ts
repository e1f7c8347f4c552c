import 'reflect-metadata';
import { Ctx, Param, Section, type Constructor } from 'toolwright';
import { hasPropertyType, parameterTypes, propertyType, setPropertyType } from '../../src/common/reflect.js';

describe('parameterTypes', () => {
  test('parameterTypes returns the classes of a decorated member and of a decorated constructor', () => {
    class Repository {}
    @Section({ title: 'Orders' })
    class OrdersSection {
      constructor(readonly repository: Repository) {}
      find(@Ctx() context: unknown, id: string, count?: number) {}
      bare(id: string) {}
    }
    expect(parameterTypes(OrdersSection)).toEqual([Repository]);
    expect(parameterTypes(OrdersSection.prototype, 'find')).toEqual([Object, String, Number]);
    expect(parameterTypes(OrdersSection.prototype, 'bare')).toBeUndefined();
  });

  test('a member inherits the types of its parent, a constructor does not', () => {
    class Repository {}
    @Section({ title: 'Base' })
    class Base {
      constructor(readonly repository: Repository) {}
      find(@Ctx() context: unknown) {}
    }
    class Child extends Base {
      override find(context: unknown) {}
    }
    expect(parameterTypes(Child.prototype, 'find')).toEqual([Object]);
    expect(parameterTypes(Child)).toBeUndefined();
    expect(parameterTypes(Object.getPrototypeOf(Child) as Constructor)).toEqual([Repository]);
  });

  test('metadata other than a list counts as missing', () => {
    class Order {}
    Reflect.defineMetadata('design:paramtypes', 'no list', Order);
    expect(parameterTypes(Order)).toBeUndefined();
  });
});

describe('propertyType', () => {
  test('propertyType distinguishes an emitted type, an emitted undefined and nothing', () => {
    class Order {
      @Param('Order id') id!: string;
      late!: string;
      bare!: string;
    }
    Reflect.defineMetadata('design:type', undefined, Order.prototype, 'late');
    expect([propertyType(Order.prototype, 'id'), hasPropertyType(Order.prototype, 'id')]).toEqual([String, true]);
    expect([propertyType(Order.prototype, 'late'), hasPropertyType(Order.prototype, 'late')]).toEqual([
      undefined,
      true,
    ]);
    expect([propertyType(Order.prototype, 'bare'), hasPropertyType(Order.prototype, 'bare')]).toEqual([
      undefined,
      false,
    ]);
  });

  test('a property type is inherited, and can be set for classes that no compiler saw', () => {
    class Base {}
    class Child extends Base {}
    setPropertyType(Base.prototype, 'id', Number);
    expect(propertyType(Child.prototype, 'id')).toBe(Number);
  });
});
