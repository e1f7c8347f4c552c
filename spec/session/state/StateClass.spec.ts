import { Type } from 'class-transformer';
import { IsDate, IsString, ValidateIf } from 'class-validator';
import { Field, Session, type Constructor } from 'toolwright';

/** The JSON of a slice with one value, and the value that is read from it. */
function through<T extends object>(
  type: Constructor<T>,
  value: T,
): { readonly json: unknown; readonly again: unknown } {
  const session = new Session({ slices: [{ type, policy: 'log' }] });
  session.slice(type).seed([value]);
  const written = JSON.parse(JSON.stringify(session.toJSON({ logs: true }))) as { slices: Record<string, unknown[]> };
  const json = written.slices[type.name]?.[0];
  return { json, again: read(type, json) };
}
function read<T extends object>(type: Constructor<T>, value: unknown): T | undefined {
  const json = { ...new Session().toJSON(), slices: { [type.name]: [value] } };
  return Session.fromJSON(json, { slices: [{ type, policy: 'log' }] })
    .slice(type)
    .latest();
}
const of = <T extends object>(type: Constructor<T>, values: Partial<T>): T =>
  Object.assign(Object.create(type.prototype as object) as T, values);

describe('the declarations that state is written and read by', () => {
  test('the declarations that state is written and read by are those of a base class as well', () => {
    class Visit {
      @Field({ type: Date }) at!: Date;
    }
    class LongVisit extends Visit {}
    const visit = of(LongVisit, { at: new Date(5) });
    expect(through(LongVisit, visit)).toStrictEqual({ json: { at: '1970-01-01T00:00:00.005Z' }, again: visit });
  });

  test('the declarations that state is written and read by may be those of class-validator alone', () => {
    class Visit {
      @IsDate() at!: Date;
    }
    const visit = of(Visit, { at: new Date(5) });
    expect(through(Visit, visit)).toStrictEqual({ json: { at: '1970-01-01T00:00:00.005Z' }, again: visit });
  });

  test('the declarations that state is written and read by may have conditions: a field that is required at times may be absent or null', () => {
    class Order {
      @Field('Way') way!: string;
      @ValidateIf(({ way }: Order) => way === 'post') @IsString() address!: string | null;
    }
    for (const json of [{ way: 'shop' }, { way: 'shop', address: null }, { way: 'post', address: 'Here 1' }]) {
      const order = of(Order, json);
      expect(through(Order, order)).toStrictEqual({ json, again: order });
    }
  });

  test('the declarations that state is written and read by may have a pattern, which a default has to match', () => {
    class Item {
      @Field({ pattern: /^[a-z]+$/ }) code = 'abc';
    }
    class Odd {
      @Field({ pattern: /^[a-z]+$/ }) code = 'A1';
    }
    class Tail {
      @Field({ pattern: /[a-z]/ }) code = '1a';
    }
    expect([Item, Tail].map((type) => read(type, {}))).toEqual([new Item(), new Tail()]);
    expect(read(Item, { code: 'A1' })).toEqual({ code: 'A1' });
    expect(() => read(Odd, {})).toThrow(/E806 slices\.Odd\[0\]: Odd is declared wrongly: .*E203/s);
  });

  test('the declarations that state is written and read by leave out what only the host sets', () => {
    class Account {
      @Field('Name') name!: string;
      @Field({ internal: true }) tenant = 'none';
    }
    const account = of(Account, { name: 'a', tenant: 't1' });
    expect(through(Account, account)).toStrictEqual({ json: { name: 'a' }, again: of(Account, { name: 'a' }) });
  });

  test('construct no instance for a secret that was left out', () => {
    let made = 0;
    class Account {
      @Field('Name') name!: string;
      @Field({ secret: true }) token!: string;
      constructor() {
        made++;
      }
    }
    read(Account, { name: 'a' });
    const before = made;
    expect(read(Account, { name: 'b' })).toStrictEqual(of(Account, { name: 'b' }));
    expect(made).toBe(before);
  });

  test('the declarations that state is written and read by count, and not their wire names, where two properties have the same', () => {
    class Price {
      @Field({ name: 'amount' }) net!: number;
      @Field({ name: 'gross_amount' }) amount!: number;
    }
    const price = of(Price, { net: 1, amount: 2 });
    expect(through(Price, price)).toStrictEqual({ json: { net: 1, amount: 2 }, again: price });
  });
});

describe('the members of a class that is stored', () => {
  test('data of a prototype may be replaced by that of an instance; a method may not', () => {
    class Note {
      declare readonly lang: string;
      text(): string {
        return 'a';
      }
    }
    Object.defineProperty(Note.prototype, 'lang', { value: 'en', writable: true });
    const note = Object.assign(new Note(), { lang: 'de' });
    expect(through(Note, note)).toStrictEqual({ json: { lang: 'de' }, again: note });
    expect(() => read(Note, { text: 'b' })).toThrow(/E806 slices\.Note\[0\]\.text: a member of Note has this name/);
  });
});

describe('the key that tells subtypes apart', () => {
  const drawing = (keep: boolean, circle: Constructor) => {
    class Drawing {
      @Field('Shape')
      @Type(() => Object, {
        discriminator: { property: 'kind', subTypes: [{ value: circle, name: 'circle' }] },
        keepDiscriminatorProperty: keep,
      })
      shape!: object;
    }
    return Drawing;
  };

  test.each<[what: string, keep: boolean, isDeclared: boolean, kept: object]>([
    ['stays in an instance where the declaration keeps it', true, false, { kind: 'circle' }],
    ['stays in an instance whose class declares it', false, true, { kind: 'circle' }],
    ['is in no instance otherwise', false, false, {}],
  ])('the key that tells subtypes apart %s', (_what, keep, isDeclared, kept) => {
    class Circle {
      @Field('Radius') radius!: number;
    }
    if (isDeclared) Field({ name: 'shape_kind', type: String })(Circle.prototype, 'kind');
    const Drawing = drawing(keep, Circle);
    const shape = of(Circle, { radius: 1, ...kept });
    const value = of(Drawing, { shape });
    expect(through(Drawing, value)).toStrictEqual({ json: { shape: { radius: 1, kind: 'circle' } }, again: value });
  });

  test('a value other than an object is refused, and the message says which type was expected', () => {
    class Circle {
      @Field('Radius') radius!: number;
    }
    expect(() => read(drawing(false, Circle), { shape: 'circle' })).toThrow(
      'E806 slices.Drawing[0].shape: expected an object, got the string "circle"',
    );
  });
});
