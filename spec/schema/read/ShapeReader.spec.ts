import { Expose } from 'class-transformer';
import { IsInt } from 'class-validator';
import { Field, Param } from 'toolwright';
import { readDeclaredPattern } from '../../../src/schema/pattern/readDeclaredPattern';
import { ShapeReader } from '../../../src/schema/read/ShapeReader';
import { instanceOf, kindsOf, shapeOf } from '../reading';

describe('a params class', () => {
  test('a params class has its decorated properties in the order of declaration, base classes first', () => {
    class Base {
      @Param('One') one!: string;
      @Param('Two') two!: string;
    }
    class Sub extends Base {
      @Field('Three') three!: number;
      @Param({ internal: true }) hits = 0;
      readonly describe = (): string => 'A function is no data.';
      #seen = true;
      get isSeen(): boolean {
        return this.#seen;
      }
    }
    const shape = shapeOf(Sub);
    expect(shape.name).toBe('Sub');
    expect(shape.fields.map(({ property }) => property)).toEqual(['one', 'two', 'three']);
    expect([...shape.byWireName.keys()]).toEqual(['one', 'two', 'three']);
    expect(shapeOf(Base).fields).toHaveLength(2);
  });

  test('a property may have only decorators of class-validator', () => {
    class Params {
      @IsInt() count!: number;
      @Param('Text') text!: string;
    }
    expect(
      shapeOf(Params)
        .fields.map(({ property }) => property)
        .sort(),
    ).toEqual(['count', 'text']);
    expect(kindsOf(Params, { text: 'a' })).toEqual(['missing count']);
  });

  test('options that a subclass repeats win, and the rest stays', () => {
    class Base {
      @Param({ description: 'Old', min: 1 }) n!: number;
    }
    class Sub extends Base {
      @Param({ description: 'New', max: 5 }) override n!: number;
    }
    const [field] = shapeOf(Sub).fields;
    expect(field?.description).toBe('New');
    expect(shapeOf(Sub).fields).toHaveLength(1);
    expect(kindsOf(Sub, { n: 0 })).toEqual(['constraint n']);
    expect(kindsOf(Sub, { n: 6 })).toEqual(['constraint n']);
    expect(shapeOf(Base).fields[0]?.description).toBe('Old');
  });

  test('a params class is read once: the same shape each time, also inside others', () => {
    class Inner {
      @Param('A') a!: string;
    }
    class Outer {
      @Param('Inner') inner!: Inner;
      @Param({ type: [Inner] }) more!: Inner[];
    }
    const reader = new ShapeReader('as-is', readDeclaredPattern);
    const inner = reader.read(Inner);
    const outer = reader.read(Outer);
    expect(reader.read(Inner)).toBe(inner);
    expect(outer.fields[0]?.type).toEqual({ kind: 'object', shape: inner });
    expect(outer.fields[1]?.type).toEqual({ kind: 'array', items: { kind: 'object', shape: inner } });
  });

  test('a params class may contain itself', () => {
    class Node {
      @Param('Name') name!: string;
      @Param({ type: () => Node, optional: true }) next?: Node;
      @Param({ type: () => [Node], optional: true }) children?: Node[];
    }
    const node = instanceOf(Node, {
      name: 'a',
      next: { name: 'b' },
      children: [{ name: 'c', children: [{ name: 'd' }] }],
    });
    expect(node.next).toBeInstanceOf(Node);
    expect(node.children?.[0]?.children?.[0]).toBeInstanceOf(Node);
    expect(kindsOf(Node, { name: 'a', children: [{ name: 'c', next: {} }] })).toEqual([
      'missing children[0].next.name',
    ]);
  });

  test('a params class trims descriptions, and drops blank ones', () => {
    class Params {
      @Param('  Words  ') a!: string;
      @Param('  ') b!: string;
      @Param({}) c!: string;
    }
    expect(shapeOf(Params).fields.map(({ description }) => description)).toEqual(['Words', undefined, undefined]);
  });
});

describe('the name on the wire', () => {
  class Params {
    @Param('A') orderId!: string;
    @Param({ name: 'given' }) paramName!: string;
    @Expose({ name: 'exposed' }) @Param('C') exposeName!: string;
    @Expose({ name: 'second' }) @Param({ name: 'first' }) both!: string;
  }

  test('the name on the wire is that of the property, unless @Param or @Expose says otherwise; @Param goes first', () => {
    expect([...shapeOf(Params).byWireName.keys()]).toEqual(['orderId', 'given', 'exposed', 'first']);
    expect(instanceOf(Params, { orderId: 'a', given: 'b', exposed: 'c', first: 'd' })).toEqual({
      orderId: 'a',
      paramName: 'b',
      exposeName: 'c',
      both: 'd',
    });
    expect(kindsOf(Params, { orderId: 'a', paramName: 'b', exposed: 'c', first: 'd' })).toEqual([
      'missing given',
      'extra paramName',
    ]);
  });

  test('the name on the wire is derived in snake_case where the application says so; given names stay', () => {
    expect([...shapeOf(Params, 'snake_case').byWireName.keys()]).toEqual(['order_id', 'given', 'exposed', 'first']);
  });

  test('the name on the wire is that of the property for params that never travel', () => {
    expect([...shapeOf(Params, 'property').byWireName.keys()]).toEqual(['orderId', 'paramName', 'exposeName', 'both']);
  });
});
