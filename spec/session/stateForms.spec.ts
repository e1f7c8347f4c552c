import { Type } from 'class-transformer';
import { Field, Session, type Constructor } from 'toolwright';

/** The JSON of a value in a log, which may hold anything, and what is read from it. */
function through<T extends object>(
  type: Constructor<T>,
  values: object,
): { readonly json: unknown; readonly again: T } {
  const slices = [{ type, name: 'state', policy: 'log' as const }];
  const session = new Session({ slices });
  session.slice(type).seed([Object.assign(Object.create(type.prototype as object) as T, values)]);
  const { slices: written } = session.toJSON({ logs: true });
  const again = Session.fromJSON(JSON.parse(JSON.stringify(session.toJSON({ logs: true }))), { slices });
  return { json: written['state']?.[0], again: again.slice(type).latest()! };
}

class Loose {
  data: unknown;
}

describe('state in JSON', () => {
  test('a number may have a fraction, a whole number may not', () => {
    class Sizes {
      @Field({ type: Number }) width!: number;
      @Field({ type: 'integer' }) count!: number;
    }
    const { json, again } = through(Sizes, { width: 1.5, count: 2 });
    expect(json).toEqual({ width: 1.5, count: 2 });
    expect(again).toStrictEqual(Object.assign(new Sizes(), { width: 1.5, count: 2 }));
    expect(() => through(Sizes, { width: 1.5, count: 2.5 })).toThrow(
      'E805 slices.state[0].count: expected a whole number, got the number 2.5',
    );
  });

  test('an object without a prototype is a record', () => {
    const data = Object.assign(Object.create(null) as object, { a: [1] });
    expect(through(Loose, { data }).json).toEqual({ data: { a: [1] } });
  });

  test('properties that cannot be enumerated are left out', () => {
    const data = Object.defineProperties({ a: 1 }, { hidden: { value: 2 }, [Symbol('hidden')]: { value: 3 } });
    expect(through(Loose, { data }).json).toEqual({ data: { a: 1 } });
  });

  test('properties that a proxy lists and does not have are left out', () => {
    const data = new Proxy({ a: 1 }, { ownKeys: () => ['a', 'gone'] });
    expect(through(Loose, { data }).json).toEqual({ data: { a: 1 } });
  });

  test('a row may name any of the subtypes', () => {
    class Shape {}
    class Circle extends Shape {
      @Field('Radius') radius!: number;
    }
    class Square extends Shape {
      @Field('Side') side!: number;
    }
    const subTypes = [
      { value: Circle, name: 'circle' },
      { value: Square, name: 'square' },
    ];
    class Drawing {
      @Field('Shape')
      @Type(() => Shape, { discriminator: { property: 'kind', subTypes } })
      shape!: Shape;
    }
    const row = { kind: 'square', side: 2 };
    const { json, again } = through(Drawing, { shape: row });
    expect(json).toEqual({ shape: row });
    expect(again.shape).toStrictEqual(Object.assign(new Square(), { side: 2 }));
  });

  test('an error of a class itself is thrown as it is, not taken for a value of another type', () => {
    let isOut = false;
    const next = (): number => {
      if (isOut) throw new RangeError('no numbers left');
      return 1;
    };
    class Ticket {
      @Field({ type: Number, optional: true }) no = next();
    }
    class Visit {
      @Field({ oneOf: [Ticket, String] }) ticket!: Ticket | string;
    }
    expect(through(Visit, { ticket: { no: 5 } }).json).toEqual({ ticket: { no: 5 } });
    isOut = true;
    expect(() => through(Visit, { ticket: {} })).toThrow(new RangeError('no numbers left'));
  });

  test('state in JSON is the host’s to change', () => {
    const { json } = through(Loose, { data: { a: 1 } });
    const ordinary = { writable: true, enumerable: true, configurable: true };
    expect(Object.getOwnPropertyDescriptors(json)).toEqual({ data: { value: { a: 1 }, ...ordinary } });
  });
});
