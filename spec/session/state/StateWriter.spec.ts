import { Exclude, Expose, Type } from 'class-transformer';
import { IsString } from 'class-validator';
import { Field, Session, SessionError, type Constructor } from 'toolwright';

/** Writes one value of a class and reads it again, as a LOG slice, which may hold anything. */
function through<T extends object>(type: Constructor<T>, value: T): { readonly json: unknown; readonly again: T } {
  const slices = [{ type, policy: 'log' as const }];
  const session = new Session({ slices });
  session.slice(type).seed([value]);
  const written = JSON.parse(JSON.stringify(session.toJSON({ logs: true }))) as { slices: Record<string, unknown[]> };
  const again = Session.fromJSON(written, { slices }).slice(type).latest();
  return { json: written.slices[type.name]?.[0], again: again! };
}
const refusal = (place: string): Error => expect.objectContaining({ code: 'E805', place }) as Error;
const of = <T extends object>(type: Constructor<T>, values: Partial<T>): T =>
  Object.assign(Object.create(type.prototype as object) as T, values);

class Loose {
  constructor(
    readonly data: unknown,
    readonly more?: unknown,
  ) {}
}

describe('a class without declarations', () => {
  test('a class without declarations is written as the data that its instances hold; no constructor runs', () => {
    let made = 0;
    class Strict {
      readonly size: number;
      constructor(readonly list: readonly number[]) {
        made++;
        this.size = list.length;
        Object.freeze(this);
      }
      get double(): number {
        return this.size * 2;
      }
    }
    const { json, again } = through(Strict, new Strict([1, 2]));
    expect(json).toEqual({ list: [1, 2], size: 2 });
    expect(again).toBeInstanceOf(Strict);
    expect(again.double).toBe(4);
    expect(made).toBe(1);
  });

  test('properties may be undefined', () => {
    const { json, again } = through(Loose, new Loose(1));
    expect(json).toEqual({ data: 1 });
    expect(again.more).toBeUndefined();
  });

  class Money {
    constructor(readonly cents: number) {}
  }
  const sparse: unknown[] = [1];
  sparse[2] = 3;
  test.each<[string, unknown, string, RegExp]>([
    ['an instance of another class', new Money(1), '.data', /instance of Money.*no @Field/s],
    ['one further inside', { list: [new Money(1)] }, '.data.list[0]', /instance of Money/],
    ['a Date', new Date(0), '.data', /instance of Date/],
    ['a Map', new Map(), '.data', /instance of Map/],
    ['an Error', new Error('a'), '.data', /instance of Error/],
    ['a BigInt', 1n, '.data', /bigint/],
    ['NaN', Number.NaN, '.data', /NaN/],
    ['Infinity', -Infinity, '.data', /Infinity/],
    ['a function', () => 1, '.data', /a function/],
    ['a symbol', Symbol('s'), '.data', /symbol/],
    ['a key that is a symbol', { [Symbol('hidden')]: 1 }, '.data', /Symbol\(hidden\)/],
    ['undefined in a list', [undefined], '.data[0]', /undefined/],
    ['a hole in a list', sparse, '.data[1]', /undefined/],
    ['an own getter', Object.defineProperty({}, 'now', { enumerable: true, get: () => 1 }), '.data.now', /getter/],
  ])('a class without declarations must not hold %s: E805 with its place', (_what, data, place, message) => {
    const write = () => through(Loose, new Loose(data));
    expect(write).toThrow(SessionError);
    expect(write).toThrow(refusal(`slices.Loose[0]${place}`));
    expect(write).toThrow(message);
  });

  test('a class without declarations must not hold circles, or be nested beyond reason', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => through(Loose, new Loose(circle))).toThrow(/E805 slices\.Loose\[0\]\.data\.self.*in a circle/);
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(() => through(Loose, new Loose(deep))).toThrow(/E805 slices.*too deeply/);
    let fine: unknown = 1;
    for (let level = 0; level < 200; level++) fine = { fine };
    expect(through(Loose, new Loose(fine)).again.data).toEqual(fine);
  });

  test('a class without declarations accepts a plain row for an instance, and returns an instance', () => {
    const { again } = through<object>(Money, { cents: 5 });
    expect(again).toStrictEqual(new Money(5));
  });

  test.each<[string, unknown]>([
    ['a subclass', new (class Coins extends Money {})(1)],
    ['another class', new Loose(1)],
    ['a list', [new Money(1)]],
    ['null', null],
    ['a text', 'five'],
  ])('a class without declarations refuses %s in its slice', (_what, value) => {
    const session = new Session({ slices: [{ type: Money, policy: 'log' }] });
    session.slice(Money).seed([value as Money]);
    expect(() => session.toJSON({ logs: true })).toThrow(refusal('slices.Money[0]'));
    expect(() => session.toJSON({ logs: true })).toThrow(/exactly Money/);
  });

  test('a class without declarations refuses data under the name of a method', () => {
    class Polite {
      greet(): string {
        return 'hello';
      }
    }
    const odd = Object.defineProperty(new Polite(), 'greet', { value: 'data', enumerable: true });
    expect(() => through(Polite, odd)).toThrow(refusal('slices.Polite[0].greet'));
  });

  class Secretive {
    #count = 0;
    next(): number {
      return ++this.#count;
    }
  }
  test.each<[string, new () => object, RegExp]>([
    ['#private state', Secretive, /#private/],
    ['the inside of a Map', class Bag extends Map {}, /Map/],
    ['the inside of an Error', class Failed extends Error {}, /Error/],
    ['the inside of an Array', class List extends Array {}, /Array/],
  ])('a session cannot write classes with %s', (_what, type, message) => {
    expect(() => through(type, new type())).toThrow(refusal(`slices.${type.name}[0]`));
    expect(() => through(type, new type())).toThrow(message);
  });
});

describe('a class with declarations', () => {
  class Line {
    @Field('Item') item!: string;
    @Field({ type: 'integer' }) count!: number;
    total(): number {
      return this.count;
    }
  }
  const line = (item: string, count = 1): Line => of(Line, { item, count });

  test('a class with declarations is written by the names of its properties, not by wire names', () => {
    class Order {
      @Field({ name: 'order_id', description: 'Id' }) orderId!: string;
      @Field({ type: Line }) @Expose({ name: 'first-line' }) first!: Line;
    }
    const { json, again } = through(Order, of(Order, { orderId: 'o1', first: line('a') }));
    expect(json).toEqual({ orderId: 'o1', first: { item: 'a', count: 1 } });
    expect(again).toStrictEqual(of(Order, { orderId: 'o1', first: line('a') }));
  });

  test('a class with declarations returns instances and dates wherever its types say so', () => {
    class Everything {
      @Field({ type: Date }) date!: Date;
      @Field({ type: [Date] }) dates!: readonly Date[];
      @Field({ type: [Line] }) list!: readonly Line[];
      @Field({ record: Line }) record!: Readonly<Record<string, Line>>;
      @Field({ type: { tuple: [Line, String, Date] } }) tuple!: readonly [Line, string, Date];
      @Field({ oneOf: [Line, Number] }) either!: Line | number;
      @Field({ enum: ['a', 'b'] }) letter!: 'a' | 'b';
      @Field({ type: Line, nullable: true }) none!: Line | null;
      @Field({ type: 'any' }) any!: unknown;
      @Field({ type: [{ array: Line }] }) rows!: readonly (readonly Line[])[];
    }
    const values = {
      date: new Date(1),
      dates: [new Date(2)],
      list: [line('a'), line('b')],
      record: { 'x y': line('c'), ['__proto__x']: line('d') },
      tuple: [line('e'), 'f', new Date(3)],
      either: line('g'),
      letter: 'b',
      none: null,
      any: { deep: [1, 'a', null] },
      rows: [[line('h')], []],
    } as const;
    const value = of(Everything, values);
    expect(through(Everything, value).again).toStrictEqual(value);
    expect(through(Everything, of(Everything, { ...values, either: 5 })).again.either).toBe(5);
  });

  test('a class with declarations accepts plain rows where it declares a class, and returns instances', () => {
    class Cart {
      @Field({ type: [Line] }) lines!: readonly Line[];
    }
    const cart = Object.assign(new Cart(), { lines: [{ item: 'a', count: 2 }] });
    const { again } = through(Cart, cart);
    expect(again.lines[0]).toBeInstanceOf(Line);
    expect(again.lines[0]?.total()).toBe(2);
  });

  test('a class with declarations distinguishes subtypes by their discriminator', () => {
    abstract class Shape {
      @IsString() name!: string;
    }
    class Circle extends Shape {
      @Field('r') radius!: number;
    }
    class Square extends Shape {
      @Field('a') side!: number;
    }
    class Drawing {
      @Field('Shape')
      @Type(() => Shape, {
        discriminator: {
          property: 'kind',
          subTypes: [
            { value: Circle, name: 'circle' },
            { value: Square, name: 'square' },
          ],
        },
      })
      shape!: Shape;
    }
    const value = of(Drawing, { shape: of(Square, { name: 'q', side: 2 }) });
    const { json, again } = through(Drawing, value);
    expect(json).toEqual({ shape: { kind: 'square', name: 'q', side: 2 } });
    expect(again).toStrictEqual(value);
    const row = of(Drawing, { shape: { kind: 'circle', name: 'c', radius: 1 } as unknown as Shape });
    expect(through(Drawing, row).again.shape).toStrictEqual(of(Circle, { name: 'c', radius: 1 }));
    const odd = of(Drawing, { shape: line('a') as unknown as Shape });
    expect(() => through(Drawing, odd)).toThrow(refusal('slices.Drawing[0].shape'));
    const slices = [{ type: Drawing, policy: 'log' as const }];
    const json2 = { ...new Session().toJSON(), slices: { Drawing: [{ shape: { kind: 'star' } }] } };
    expect(() => Session.fromJSON(json2, { slices })).toThrow(
      /E806 slices\.Drawing\[0\]\.shape\.kind.*"circle", "square"/,
    );
  });

  test('a class with declarations refuses what oneOf would read as something else', () => {
    class Left {
      @Field('Name') name!: string;
    }
    class Right {
      @Field('Name') name!: string;
    }
    class Fork {
      @Field({ oneOf: [Left, Right, String, Date] }) way!: unknown;
    }
    expect(through(Fork, of(Fork, { way: of(Left, { name: 'a' }) })).again.way).toBeInstanceOf(Left);
    for (const way of [of(Right, { name: 'a' }), new Date(0)]) {
      expect(() => through(Fork, of(Fork, { way }))).toThrow(/E805 slices\.Fork\[0\]\.way.*another of the types/);
    }
    expect(() => through(Fork, of(Fork, { way: 5 }))).toThrow(/E805 slices\.Fork\[0\]\.way.*got the number 5/);
  });

  test('a class with declarations keeps properties that it does not declare as plain data', () => {
    class Half {
      @Field('Name') name!: string;
      extra: unknown;
    }
    const value = of(Half, { name: 'a', extra: { list: [1] } });
    expect(through(Half, value).again).toStrictEqual(value);
    expect(() => through(Half, of(Half, { name: 'a', extra: new Date(0) }))).toThrow(refusal('slices.Half[0].extra'));
  });

  test('rules are not checked when a session is written: its values were checked before', () => {
    class Small {
      @Field({ max: 5 }) size!: number;
    }
    expect(through(Small, of(Small, { size: 9 })).again.size).toBe(9);
  });

  test('a class with declarations applies defaults to what older JSON does not have, each time', () => {
    class Grown {
      @Field('Name') name = 'none';
      @Field({ type: [String] }) list: string[] = ['first'];
      @Field({ type: Number, default: 5 }) size!: number;
      @Field({ type: String, optional: true }) more?: string;
    }
    const slices = [{ type: Grown, policy: 'log' as const }];
    const json = { ...new Session().toJSON(), slices: { Grown: [{}, {}] } };
    const [first, second] = Session.fromJSON(json, { slices }).slice(Grown).all();
    expect(first).toEqual({ name: 'none', list: ['first'], size: 5 });
    expect(first?.list).not.toBe(second?.list);
    expect('more' in first!).toBe(false);
  });

  class Careful {
    @Field('Name') name!: string;
    @Field('Size') size = 1;
    @Field({ type: Date, optional: true }) at?: Date | undefined;
  }
  test.each<[string, Partial<Careful>, string, RegExp]>([
    ['a required property that is absent', {}, 'name', /is required: a string/],
    ['one that is undefined', { name: undefined as unknown as string }, 'name', /is required/],
    ['one that is null', { name: null as unknown as string }, 'name', /got null/],
    ['another type', { name: 5 as unknown as string }, 'name', /expected a string, got the number 5/],
    ['NaN', { name: 'a', size: Number.NaN }, 'size', /expected a number/],
    [
      'undefined where a default would come back',
      { name: 'a', size: undefined as unknown as number },
      'size',
      /default/,
    ],
    ['a text for a Date', { name: 'a', size: 1, at: '2030' as unknown as Date }, 'at', /ISO 8601/],
    ['an invalid Date', { name: 'a', size: 1, at: new Date(Number.NaN) }, 'at', /ISO 8601/],
    ['a Date beyond ISO 8601', { name: 'a', size: 1, at: new Date(8e15) }, 'at', /ISO 8601/],
  ])('a class with declarations refuses %s: E805 with its place', (_what, values, property, message) => {
    const write = () => through(Careful, of(Careful, values));
    expect(write).toThrow(refusal(`slices.Careful[0].${property}`));
    expect(write).toThrow(message);
  });

  test('a class with declarations keeps null in an optional property, and undefined as absence', () => {
    const value = of(Careful, { name: 'a', size: 1, at: null as unknown as Date });
    expect(through(Careful, value).again).toStrictEqual(value);
    expect(through(Careful, of(Careful, { name: 'a', size: 1, at: undefined })).again.at).toBeUndefined();
  });

  test('a class with declarations leaves out secrets and what is excluded from output', () => {
    class Account {
      @Field('Name') name!: string;
      @Field({ secret: true }) token!: string;
      @Exclude({ toPlainOnly: true }) @Field('Hash') hash!: string;
      @Exclude() cache: unknown;
    }
    const value = of(Account, { name: 'a', token: 't', hash: 'h', cache: new Map() });
    const { json, again } = through(Account, value);
    expect(json).toEqual({ name: 'a' });
    expect(again).toStrictEqual(of(Account, { name: 'a' }));
    @Exclude()
    class Shy {
      @Expose() @Field('Name') name!: string;
      @Field('Age') age!: number;
      own: unknown;
    }
    expect(through(Shy, of(Shy, { name: 'a', age: 5, own: new Map() })).json).toEqual({ name: 'a' });
    class Heir extends Account {
      @Field({ name: 'wire', optional: true }) override token!: string;
    }
    expect(through(Heir, of(Heir, { name: 'a', token: 't' })).json).toEqual({ name: 'a' });
  });

  test('a class with declarations leaves accessors to the class', () => {
    class Temperature {
      @Field('Celsius') celsius!: number;
      @Field('Fahrenheit')
      get fahrenheit(): number {
        return this.celsius * 1.8 + 32;
      }
    }
    const { json, again } = through(Temperature, of(Temperature, { celsius: 100 }));
    expect(json).toEqual({ celsius: 100 });
    expect(again.fahrenheit).toBe(212);
  });

  test('a wrongly declared class is reported, with the cause', () => {
    class Odd {
      @Field('What?') what: unknown;
    }
    const write = () => through(Odd, of(Odd, { what: 1 }));
    expect(write).toThrow(refusal('slices.Odd[0]'));
    expect(write).toThrow(/Odd is declared wrongly.*E201/s);
    const json = { ...new Session().toJSON(), slices: { Odd: [{ what: 1 }] } };
    expect(() => Session.fromJSON(json, { slices: [Odd] })).toThrow(/E806 slices\.Odd\[0\].*E201/s);
  });
});
