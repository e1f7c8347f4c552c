import { Field, Session, type Constructor } from 'toolwright';

/** Reads one value of a LOG slice, which may hold dates. */
const reading = (type: Constructor, value: unknown) => (): unknown =>
  Session.fromJSON(
    { ...new Session().toJSON(), slices: { [type.name]: [value] } },
    { slices: [{ type, policy: 'log' }] },
  )
    .slice(type)
    .latest();

/** Data in that many objects. */
function nested(levels: number): unknown {
  let data: unknown = 1;
  for (let level = 0; level < levels; level++) data = { data };
  return data;
}

describe('a value that is read from JSON', () => {
  test.each<[what: string, value: object, text: string]>([
    ['null for what is required', { name: null }, 'name: expected a string, got null'],
    ['a list for a record', { name: 'a', stops: [] }, 'stops: expected an object, got an array'],
    ['a date that is no text', { name: 'a', at: new Date(0) }, 'at: expected an ISO 8601 date'],
  ])(
    'a value that is read from JSON is refused when it has %s: E806 says where and what was expected',
    (_what, value, text) => {
      class Visit {
        @Field('Name') name!: string;
        @Field({ record: String, optional: true }) stops?: Readonly<Record<string, string>>;
        @Field({ type: Date, optional: true }) at?: Date;
      }
      expect(reading(Visit, value)).toThrow(`E806 slices.Visit[0].${text}`);
    },
  );

  test('a value that is read from JSON may be null where it may be absent', () => {
    class Visit {
      @Field({ type: String, optional: true }) note?: string | null;
      @Field({ type: String, nullable: true }) by!: string | null;
    }
    expect(reading(Visit, { note: null, by: null })()).toEqual({ note: null, by: null });
  });

  test('a value that is read from JSON may be objects in objects, and is refused when they are nested too deeply', () => {
    class Loose {
      data: unknown;
    }
    expect(reading(Loose, nested(200))()).toEqual(nested(200));
    expect(reading(Loose, nested(100_000))).toThrow(/E806 slices\.Loose\[0\]\.data\.data.*: is nested too deeply/);
  });

  test('a value that is read from JSON is not read as another of its types when a class of the host throws: the error is passed on', () => {
    let isBroken = false;
    const given = (): number => {
      if (isBroken) throw new RangeError('no number left');
      return 1;
    };
    class Ticket {
      @Field('Number') number = given();
    }
    class Entry {
      @Field({ oneOf: [Ticket, String] }) by!: Ticket | string;
    }
    expect(reading(Entry, { by: {} })()).toEqual({ by: { number: 1 } });
    isBroken = true;
    expect(reading(Entry, { by: 'a' })()).toEqual({ by: 'a' });
    expect(reading(Entry, { by: {} })).toThrow(new RangeError('no number left'));
  });
});
