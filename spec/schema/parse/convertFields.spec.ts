import { Transform, Type } from 'class-transformer';
import { Min, ValidateNested } from 'class-validator';
import { Param } from 'toolwright';
import { instanceOf, issuesOf, kindsOf } from '../reading';

const trim = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

describe('a class with a @Transform', () => {
  class Item {
    @Param('Article') name!: string;
  }
  class Params {
    @trim @Param({ minLength: 2 }) text!: string;
    @Param({ integer: true, min: 1 }) n!: number;
    @Param({ name: 'wire_name' }) given!: string;
    @Param({ default: 7 }) defaulted!: number;
    @Param('I') initialised = 5;
    @Param({ enum: ['a', 'b'], optional: true }) choice?: string;
    @Param({ optional: true }) item?: Item;
  }
  const right = { text: ' ab ', n: 1, wire_name: 'x' };

  test('a class with a @Transform has its value transformed, and the result judged', () => {
    expect(instanceOf(Params, right)).toEqual({ text: 'ab', n: 1, given: 'x', defaulted: 7, initialised: 5 });
    expect(kindsOf(Params, { ...right, text: ' a ' })).toEqual(['constraint text']);
    expect(kindsOf(Params, { ...right, text: 5 })).toEqual(['type text']);
  });

  test('a class with a @Transform is as strict as any other about the rest', () => {
    expect(kindsOf(Params, { zip: 1, n: 0 })).toEqual([
      'missing text',
      'missing wire_name',
      'extra zip',
      'constraint n',
    ]);
    expect(kindsOf(Params, { ...right, n: '1', choice: 'c', item: 5 })).toEqual([
      'type n',
      'constraint choice',
      'type item',
    ]);
    expect(kindsOf(Params, { ...right, item: { name: 'x', zap: 1 } })).toEqual(['extra item.zap']);
    expect(instanceOf(Params, { ...right, item: { name: 'x' } }).item).toBeInstanceOf(Item);
  });

  test('a class with a @Transform takes null for absence where it is optional', () => {
    expect(instanceOf(Params, { ...right, defaulted: null, initialised: null, choice: null, item: null })).toEqual({
      text: 'ab',
      n: 1,
      given: 'x',
      defaulted: 7,
      initialised: 5,
    });
    expect(kindsOf(Params, { ...right, n: null })).toEqual(['type n']);
  });

  test('a class with a @Transform coerces if told so', () => {
    expect(instanceOf(Params, { ...right, n: '3' }, { coerce: true }).n).toBe(3);
  });

  test('below the root works as well', () => {
    class Outer {
      @Param({ type: [Params] }) list!: Params[];
    }
    const { list } = instanceOf(Outer, { list: [right] });
    expect(list[0]).toBeInstanceOf(Params);
    expect(list[0]?.text).toBe('ab');
    expect(kindsOf(Outer, { list: [right, { ...right, text: 5 }] })).toEqual(['type list[1].text']);
  });
});

describe('a @Transform', () => {
  test('a @Transform may return a list, or another type than its input', () => {
    class Params {
      @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
      @Param({ type: [String] })
      tags!: string[];
      @Transform(({ value }: { value: string }) => new Date(value)) @Param('At') at!: Date;
    }
    const { tags, at } = instanceOf(Params, { tags: 'a,b', at: '2030-01-01' });
    expect(tags).toEqual(['a', 'b']);
    expect(at).toEqual(new Date('2030-01-01'));
    expect(kindsOf(Params, { tags: [1], at: '2030-01-01' })).toEqual(['type tags[0]']);
  });

  test('a @Transform may read the other properties', () => {
    class Params {
      @Param('A') first!: string;
      @Transform(({ value, obj }: { value: string; obj: { first: string } }) => `${obj.first} ${value}`)
      @Param('B')
      last!: string;
    }
    expect(instanceOf(Params, { first: 'Ann', last: 'Lee' }).last).toBe('Ann Lee');
  });

  test('a @Transform that throws is an issue, not an exception', () => {
    class Params {
      @Transform(({ value }: { value: string }) => value.trim()) @Param('T') text!: string;
      @Param('N') n!: number;
    }
    expect(issuesOf(Params, { text: 5, n: 1 })).toEqual([
      { kind: 'type', path: 'text', message: 'could not be converted: value.trim is not a function' },
    ]);
    class Outer {
      @Param({ type: [Params] }) rows!: Params[];
    }
    expect(kindsOf(Outer, { rows: [{ text: 5, n: 'x' }] })).toEqual(['type rows[0].text', 'type rows[0].n']);
  });

  test('a @Transform that throws does not repeat a secret', () => {
    class Params {
      @Transform(({ value }: { value: string }) => {
        throw new Error(`bad ${value}`);
      })
      @Param({ secret: true })
      pin!: string;
    }
    expect(issuesOf(Params, { pin: '1234' })).toEqual([{ kind: 'type', path: 'pin', message: 'is not accepted' }]);
  });

  test('an instance that a @Transform makes is judged by its rules, with their paths', () => {
    class Part {
      @Param('Size') @Min(1) size!: number;
    }
    class Box {
      @Param('Weight') @Min(1) weight!: number;
      @Param({ type: [Part] }) @ValidateNested({ each: true }) parts!: Part[];
    }
    class Params {
      @Transform(({ value }: { value: Box }) =>
        Object.assign(new Box(), value, { parts: value.parts.map((part) => Object.assign(new Part(), part)) }),
      )
      @Param('Box')
      box!: Box;
    }
    const right = { box: { weight: 1, parts: [{ size: 1 }] } };
    expect(instanceOf(Params, right)).toEqual(right);
    expect(kindsOf(Params, { box: { weight: 0, parts: [{ size: 1 }, { size: 0 }] } })).toEqual([
      'constraint box.weight',
      'constraint box.parts[1].size',
    ]);
  });

  test('a @Transform that returns undefined makes the value absent', () => {
    const emptyIsNone = Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));
    class Params {
      @emptyIsNone @Param({ optional: true, minLength: 2 }) note?: string;
      @emptyIsNone @Param('S') size = 'medium';
      @emptyIsNone @Param({ type: String, default: 'red' }) colour!: string;
    }
    expect(instanceOf(Params, { note: '', size: '', colour: '' })).toEqual({ size: 'medium', colour: 'red' });
    class Strict {
      @emptyIsNone @Param('Id') id!: string;
    }
    expect(kindsOf(Strict, { id: '' })).toEqual(['missing id']);
  });

  test('a @Transform never sees a null that means absence', () => {
    class Params {
      @Transform(({ value }: { value: unknown }) => value ?? 'from null')
      @Param({ optional: true })
      text?: string;
    }
    expect(instanceOf(Params, { text: null })).toEqual({});
  });

  test('a @Transform does not change the value of the caller, or other properties', () => {
    class Cat {
      @Param('Lives') lives = 9;
    }
    class Params {
      @trim @Param('Text') text!: string;
      @Param({ record: String }) labels!: Record<string, string>;
      @Param('Pet')
      @Type(() => Object, { discriminator: { property: 'kind', subTypes: [{ name: 'cat', value: Cat }] } })
      pet!: Cat;
    }
    const value = { text: ' a ', labels: { toString: 'x' }, pet: { kind: 'cat', lives: 3 } };
    const before = structuredClone(value);
    const params = instanceOf(Params, value);
    expect(params.text).toBe('a');
    expect(Object.entries(params.labels)).toEqual([['toString', 'x']]);
    expect(params.pet).toEqual({ lives: 3 });
    expect(params.pet).toBeInstanceOf(Cat);
    expect(value).toEqual(before);
  });

  test('a @Transform for some group only does not touch the input', () => {
    class Params {
      @Transform(() => 'changed', { groups: ['admin'] }) @Param('T') text!: string;
    }
    expect(instanceOf(Params, { text: 'ab' }).text).toBe('ab');
  });

  test('a @Transform for the output only does not touch the input', () => {
    class Params {
      @Transform(({ value }: { value: string }) => value.toUpperCase(), { toPlainOnly: true })
      @Param('T')
      text!: string;
    }
    expect(instanceOf(Params, { text: 'ab' }).text).toBe('ab');
  });
});

describe('ARG-25 a discriminated union', () => {
  class Shape {
    @Param('Kind') kind!: string;
  }
  class Circle extends Shape {
    @Param('Radius') @Min(1) r!: number;
    area(): number {
      return 3 * this.r ** 2;
    }
  }
  class Square extends Shape {
    @Param('Side') a!: number;
    area(): number {
      return this.a ** 2;
    }
  }
  const kinds = {
    discriminator: {
      property: 'kind',
      subTypes: [
        { value: Circle, name: 'circle' },
        { value: Square, name: 'square' },
      ],
    },
    keepDiscriminatorProperty: true,
  };
  class Params {
    @Param('One') @ValidateNested() @Type(() => Shape, kinds) one!: Circle | Square;
    @Param({ optional: true }) @ValidateNested({ each: true }) @Type(() => Shape, kinds) many?: (Circle | Square)[];
  }
  const circle = { kind: 'circle', r: 2 };

  test('ARG-25 a discriminated union becomes an instance of the class that the discriminator names', () => {
    const { one } = instanceOf(Params, { one: circle });
    expect(one).toBeInstanceOf(Circle);
    expect(one.area()).toBe(12);
    expect(instanceOf(Params, { one: { kind: 'square', a: 3 } }).one).toBeInstanceOf(Square);
  });

  test('ARG-25 a discriminated union in a list is checked, too', () => {
    const { many } = instanceOf(Params, { one: circle, many: [circle, { kind: 'square', a: 3 }] });
    expect(many?.map((shape) => shape.area())).toEqual([12, 9]);
  });

  test('ARG-25 the rules of the chosen class are checked, with their path', () => {
    expect(kindsOf(Params, { one: { kind: 'circle', r: 0 } })).toEqual(['constraint one.r']);
  });

  test.each<[string, unknown]>([
    ['an extra key', { ...circle, zip: 1 }],
    ['a key of another kind', { ...circle, a: 1 }],
    ['a missing key', { kind: 'square' }],
    ['a wrong type', { kind: 'square', a: 'x' }],
    ['an unknown kind', { kind: 'hexagon', a: 1 }],
    ['no object', 5],
  ])('ARG-25 a discriminated union refuses %s', (_what, one) => {
    const issues = issuesOf(Params, { one });
    expect(issues.length).toBeGreaterThan(0);
    expect(issues.every(({ path }) => path.startsWith('one'))).toBe(true);
  });
});
