import { Exclude, Expose, Type } from 'class-transformer';
import { IsInt } from 'class-validator';
import { Field, Param } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { Serialiser } from '../../../src/schema/write/createSerialiser';
import { instanceOf, kindsOf, shapeOf } from '../reading';

describe('@Exclude', () => {
  class Account {
    @Field('Id') id = 'a';
    @Exclude() @Field('Secret') secret = 's';
    @Exclude({ toPlainOnly: true }) @Field('Written never') inward = 'i';
    @Exclude({ toClassOnly: true }) @Field('Read never') outward = 'o';
  }

  test('@Exclude keeps a property from the wire in its direction', () => {
    expect(Object.keys(writeClassSchema(shapeOf(Account))['properties'] as object)).toEqual(['id', 'inward']);
    expect(kindsOf(Account, { id: 'a', inward: 'i', secret: 's', outward: 'o' })).toEqual([
      'extra secret',
      'extra outward',
    ]);
    expect(instanceOf(Account, { id: 'b', inward: 'j' })).toEqual({ id: 'b', secret: 's', inward: 'j', outward: 'o' });
    expect(new Serialiser().toPlain(new Account())).toEqual({ id: 'a', outward: 'o' });
  });

  test('@Exclude on a subclass hides what its parent shows', () => {
    class Public extends Account {
      @Exclude() override id = 'a';
    }
    expect(new Serialiser().toPlain(new Public())).toEqual({ outward: 'o' });
    expect(new Serialiser().toPlain(new Account())).toHaveProperty('id');
  });

  test('@Exclude on the class keeps what is exposed', () => {
    @Exclude()
    class Strict {
      @Field('A') a = 1;
      @Expose() @Field('B') b = 2;
      @Expose({ name: 'sum' }) get total(): number {
        return this.a + this.b;
      }
    }
    expect(new Serialiser().toPlain(new Strict())).toEqual({ b: 2, sum: 3 });
  });

  test('@Exclude on the class accepts only what is exposed, and writes nothing that is not declared', () => {
    @Exclude()
    class Strict {
      @Expose() @Param('A') a = 1;
      @Param('B') b = 2;
      @Expose({ toPlainOnly: true }) @Param('C') c = 3;
      undeclared = 'kept inside';
    }
    expect(kindsOf(Strict, { a: 5, b: 5, c: 5 })).toEqual(['extra b', 'extra c']);
    expect(Object.keys(writeClassSchema(shapeOf(Strict))['properties'] as object)).toEqual(['a']);
    expect(instanceOf(Strict, { a: 5 })).toEqual({ a: 5, b: 2, c: 3, undeclared: 'kept inside' });
    expect(new Serialiser().toPlain(new Strict())).toEqual({ a: 1, c: 3 });
  });
});

describe('@Expose', () => {
  test('@Expose names a property on the wire, both ways; getters are written only', () => {
    class Person {
      @Expose({ name: 'first_name' }) @Param('First') firstName = 'Ann';
      @Expose() get greeting(): string {
        return `Hello ${this.firstName}`;
      }
      get hidden(): string {
        return this.firstName;
      }
    }
    expect(instanceOf(Person, { first_name: 'Bob' }).firstName).toBe('Bob');
    expect(kindsOf(Person, { firstName: 'Bob' })).toEqual(['extra firstName']);
    expect(new Serialiser().toPlain(new Person())).toEqual({ first_name: 'Ann', greeting: 'Hello Ann' });
  });
});

describe('@Expose with groups', () => {
  test('@Expose with groups hides the property, since no group is chosen: neither taken nor shown', () => {
    class Account {
      @Param('Id') id = 'a';
      @Expose({ groups: ['admin'] }) @Param('Balance') balance = 5;
    }
    expect(kindsOf(Account, { balance: 7 })).toEqual(['extra balance']);
    expect(new Serialiser().toPlain(new Account())).toEqual({ id: 'a' });
  });
});

describe('@Type', () => {
  test('@Type of a scalar names the type, besides rules that narrow it; coercion stays off', () => {
    class Params {
      @Param('N') @IsInt() @Type(() => Number) n!: number;
      @Param({ integer: true }) @Type(() => Number) m!: number;
    }
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({
      properties: { n: { type: 'integer' }, m: { type: 'integer' } },
    });
    expect(kindsOf(Params, { n: '1', m: 1.5 })).toEqual(['type n', 'type m']);
  });

  test('@Type names the class where the compiler cannot', () => {
    class Item {
      @Param('N') n!: number;
      twice(): number {
        return this.n * 2;
      }
    }
    class Params {
      @Param('Items') @Type(() => Item) items!: Item[];
      @Param('Dates') @Type(() => Date) dates!: Date[];
    }
    const { items, dates } = instanceOf(Params, { items: [{ n: 2 }], dates: ['2030-01-01'] });
    expect(items.map((item) => item.twice())).toEqual([4]);
    expect(dates).toEqual([new Date('2030-01-01')]);
  });
});
