import { Transform, Type } from 'class-transformer';
import { IsArray, IsEnum, IsInt, IsNumber, IsString, ValidateNested } from 'class-validator';
import { Param, type Constructor } from 'toolwright';
import { FieldTypeReader } from '../../../src/schema/read/FieldTypeReader';
import { faultsOf, instanceOf, shapeOf } from '../reading';

enum Colour {
  Red = 'red',
  Green = 'green',
}
enum Level {
  Low,
  High = 5,
}
class Item {
  @Param('Pieces') qty!: number;
}
const kindOf = (type: Constructor): unknown => shapeOf(type).fields[0]?.type;
const item = expect.objectContaining({
  kind: 'object',
  shape: expect.objectContaining({ type: Item }) as object,
}) as object;

describe('the type of a property comes from what the compiler emitted', () => {
  test('the emitted type is read for scalars, dates and classes', () => {
    class Params {
      @Param('A') a!: string;
      @Param('B') b!: number;
      @Param('C') c!: boolean;
      @Param('D') d!: Date;
      @Param('E') e!: Item;
    }
    expect(shapeOf(Params).fields.map(({ type }) => type)).toEqual([
      { kind: 'string' },
      { kind: 'number' },
      { kind: 'boolean' },
      { kind: 'date' },
      item,
    ]);
  });

  test('the initial value is read where the emitted type says nothing', () => {
    class Params {
      @Param('A') a: string | null = 'x';
      @Param('B') b: number | null = 1;
      @Param('C') c: unknown = true;
      @Param('D') d: unknown = new Date(0);
      @Param('E') e = ['x'];
      @Param('F') f: unknown = [1];
    }
    expect(shapeOf(Params).fields.map(({ type }) => type)).toEqual([
      { kind: 'string' },
      { kind: 'number' },
      { kind: 'boolean' },
      { kind: 'date' },
      { kind: 'array', items: { kind: 'string' } },
      { kind: 'array', items: { kind: 'number' } },
    ]);
  });
});

describe('the type of a property comes from a rule', () => {
  test('a rule gives the type of a property that reflects as Object: an integer, an enum, a text', () => {
    class Params {
      @Param('A') @IsInt() a!: number;
      @Param({ integer: true }) b!: number;
      // @ts-expect-error: the compiler sees no rules of class-validator
      @Param('C') @IsEnum(Colour) c!: Colour;
      // @ts-expect-error: the compiler sees no rules of class-validator
      @Param('D') @IsEnum(Level) d!: Level;
      @Param('E') @IsString() e!: string | undefined;
      @Param({ minLength: 1 }) f!: string | null;
      @Param({ format: 'email' }) g!: string | null;
      @Param('H') @IsNumber() h!: number | null;
    }
    expect(shapeOf(Params).fields.map(({ type }) => type)).toEqual([
      { kind: 'integer' },
      { kind: 'integer' },
      { kind: 'enum', values: ['red', 'green'] },
      { kind: 'enum', values: [0, 5] },
      { kind: 'string' },
      { kind: 'string' },
      { kind: 'string' },
      { kind: 'number' },
    ]);
  });

  test('a rule with each gives the type of the items of an array', () => {
    class Params {
      @Param('A') @IsString({ each: true }) a!: string[];
      @Param('B') @IsArray() @IsInt({ each: true }) b!: number[];
      // @ts-expect-error: the compiler sees no rules of class-validator
      @Param('C') @IsEnum(Colour, { each: true }) c!: Colour[];
    }
    expect(shapeOf(Params).fields.map(({ type }) => type)).toEqual([
      { kind: 'array', items: { kind: 'string' } },
      { kind: 'array', items: { kind: 'integer' } },
      { kind: 'array', items: { kind: 'enum', values: ['red', 'green'] } },
    ]);
  });

  test('@Type names the class of a property, or of the items of an array', () => {
    class Params {
      @Param('A') @ValidateNested({ each: true }) @Type(() => Item) a!: Item[];
      @Param('B') @Type(() => Item) b!: Item | undefined;
      @Param('C') @Type(() => Date) c!: Date[];
    }
    expect(shapeOf(Params).fields.map(({ type }) => type)).toEqual([
      { kind: 'array', items: item },
      item,
      { kind: 'array', items: { kind: 'date' } },
    ]);
  });
});

describe('the type of a property comes from an option', () => {
  class Params {
    @Param({ type: String }) a!: unknown;
    @Param({ type: () => Item }) b!: unknown;
    @Param({ type: [Item] }) c!: unknown;
    @Param({ type: () => [Item] }) d!: unknown;
    @Param({ type: { array: { array: Number } } }) e!: unknown;
    @Param({ record: Number }) f!: unknown;
    @Param({ type: { record: { record: () => Item } } }) g!: unknown;
    @Param({ oneOf: [String, Number, Item] }) h!: unknown;
    @Param({ type: { tuple: [String, [Number]] } }) i!: unknown;
    @Param({ enum: ['x', 1, true, null] }) j!: unknown;
    @Param({ enum: Colour }) k!: unknown;
    @Param({ enum: Level }) l!: unknown;
    @Param({ type: [{ enum: ['x', 'y'] }] }) m!: unknown;
    @Param({ type: 'any' }) n!: unknown;
    @Param({ record: 'integer' }) o!: unknown;
    @Param({ type: Number, integer: true }) p!: unknown;
  }
  const number = { kind: 'number' };
  test.each<[string, unknown]>([
    ['a', { kind: 'string' }],
    ['b', item],
    ['c', { kind: 'array', items: item }],
    ['d', { kind: 'array', items: item }],
    ['e', { kind: 'array', items: { kind: 'array', items: number } }],
    ['f', { kind: 'record', values: number }],
    ['g', { kind: 'record', values: { kind: 'record', values: item } }],
    ['h', { kind: 'oneOf', options: [{ kind: 'string' }, number, item] }],
    ['i', { kind: 'tuple', items: [{ kind: 'string' }, { kind: 'array', items: number }] }],
    ['j', { kind: 'enum', values: ['x', 1, true, null] }],
    ['k', { kind: 'enum', values: ['red', 'green'] }],
    ['l', { kind: 'enum', values: [0, 5] }],
    ['m', { kind: 'array', items: { kind: 'enum', values: ['x', 'y'] } }],
    ['n', { kind: 'any' }],
    ['o', { kind: 'record', values: { kind: 'integer' } }],
    ['p', { kind: 'integer' }],
  ])('the type of a property comes from an option: %s', (property, expected) => {
    expect(shapeOf(Params).fields.find((field) => field.property === property)?.type).toEqual(expected);
  });

  test('an option gives the type of the items, if the property is an array', () => {
    class Lists {
      @Param({ enum: ['x', 'y'] }) a!: string[];
      @Param({ type: Item }) b!: Item[];
      @Param({ record: Number }) c!: object[];
      @Param({ oneOf: [String, Number] }) d!: (string | number)[];
      @Param({ type: Number, integer: true }) e!: number[];
      @Param({ enum: ['x'] }) f = ['x'];
      @Param({ oneOf: [[String], [Number]] }) g!: string[] | number[];
      @Param({ type: { tuple: [String, Number] } }) h!: [string, number];
      @Param({ type: 'any' }) i!: unknown[];
    }
    expect(shapeOf(Lists).fields.map(({ type }) => type)).toEqual([
      { kind: 'array', items: { kind: 'enum', values: ['x', 'y'] } },
      { kind: 'array', items: item },
      { kind: 'array', items: { kind: 'record', values: number } },
      { kind: 'array', items: { kind: 'oneOf', options: [{ kind: 'string' }, number] } },
      { kind: 'array', items: { kind: 'integer' } },
      { kind: 'array', items: { kind: 'enum', values: ['x'] } },
      expect.objectContaining({ kind: 'oneOf' }),
      expect.objectContaining({ kind: 'tuple' }),
      { kind: 'any' },
    ]);
  });

  test('an option precedes anything else', () => {
    class Strong {
      @Param({ type: Number }) @IsString() a!: string;
      // @ts-expect-error: no value of the enum is a number
      @Param({ enum: ['x'], type: Number }) b!: number;
    }
    expect(shapeOf(Strong).fields.map(({ type }) => type.kind)).toEqual(['number', 'enum']);
  });
});

describe('E201: no JSON value fits the type of the property, and the finding says what works', () => {
  const big = Transform(({ value }: { value: string }) => BigInt(value));
  class Typed {
    @Param('A') a!: bigint;
  }
  class Converted {
    @Param({ description: 'A', type: String }) @big a!: bigint;
  }
  class Named {
    @Param({ description: 'A', type: String }) a!: bigint;
  }
  class Initial {
    @Param('A') a = 5n;
  }
  class Listed {
    // @ts-expect-error: no type of a parameter
    @Param({ description: 'A', type: [BigInt] }) a!: bigint[];
  }

  test.each([Typed, Converted, Named, Initial, Listed])('E201: a bigint is not a JSON value: %p', (type) => {
    expect(faultsOf(type)).toMatchObject([
      {
        code: 'E201',
        problem: 'it holds a bigint, which JSON does not have',
        remedy: expect.stringContaining('BigInt(…) in the handler: @Param({ type: String, pattern:') as unknown,
      },
    ]);
  });

  test('the remedy of E201 works for a bigint', () => {
    class Params {
      @Param({ type: String, pattern: /^-?\d+$/ }) a!: string;
    }
    expect(BigInt(instanceOf<{ a: string }>(Params, { a: '9007199254740993' }).a)).toBe(9007199254740993n);
  });

  test('a @Transform to another primitive than the named type, which each call would refuse', () => {
    class ToNumber {
      @Param({ description: 'A', type: String }) @Transform(({ value }) => Number(value)) a!: number;
    }
    class ToText {
      @Param({ description: 'A', type: Number }) @Transform(({ value }) => String(value)) a!: string;
    }
    expect(faultsOf(ToNumber)).toMatchObject([
      {
        code: 'E201',
        problem: expect.stringMatching(/@Transform returns a Number.* named type is string/) as unknown,
      },
    ]);
    expect(faultsOf(ToText)).toMatchObject([{ code: 'E201', problem: expect.stringContaining('a String') as unknown }]);
  });

  test('a @Transform to a class of values, or to the type that is named', () => {
    class Decimal {
      constructor(readonly value: string) {
        if (typeof value !== 'string') throw new TypeError('no decimal');
      }
    }
    class Params {
      @Param({ description: 'A', type: String }) @Transform(({ value }) => new Decimal(String(value))) a!: Decimal;
      @Param({ description: 'B', type: Number }) @Transform(({ value }) => Math.round(Number(value))) b!: number;
    }
    expect(faultsOf(Params)).toEqual([]);
    expect(instanceOf(Params, { a: '1.5', b: 2.4 })).toEqual({ a: new Decimal('1.5'), b: 2 });
    class Bare {
      @Param('A') a!: Decimal;
    }
    expect(faultsOf(Bare)).toMatchObject([
      { code: 'E202', remedy: expect.stringContaining('new Decimal(value)') as unknown },
    ]);
  });
});

describe('E201: the type cannot be determined', () => {
  test.each<[string, () => Constructor, RegExp]>([
    [
      'a union',
      () => {
        class P {
          @Param('A') a!: string | number;
        }
        return P;
      },
      /reflects as Object/,
    ],
    [
      'null as initial value',
      () => {
        class P {
          @Param('A') a: string | null = null;
        }
        return P;
      },
      /reflects as Object/,
    ],
    [
      'an array of nobody knows what',
      () => {
        class P {
          @Param('A') a!: string[];
        }
        return P;
      },
      /an array without a type for its items/,
    ],
    [
      'an empty array as initial value',
      () => {
        class P {
          @Param('A') a: string[] = [];
        }
        return P;
      },
      /an array without a type for its items/,
    ],
    [
      'a map, although the class of its entries is known',
      () => {
        class P {
          @Param('A') @Type(() => Item) a!: Map<string, Item>;
        }
        return P;
      },
      /Map, which JSON does not know/,
    ],
    [
      'a set',
      () => {
        class P {
          @Param('A') a!: Set<string>;
        }
        return P;
      },
      /Set, which JSON does not know/,
    ],
    [
      'Object as option',
      () => {
        class P {
          @Param({ type: Object }) a!: object;
        }
        return P;
      },
      /Object does not name/,
    ],
    [
      'Array as option',
      () => {
        class P {
          @Param({ type: Array }) a!: unknown[];
        }
        return P;
      },
      /Array does not name/,
    ],
    [
      'undefined in a list (a circular import)',
      () => {
        class P {
          @Param({ type: [undefined as unknown as Constructor] }) a!: unknown[];
        }
        return P;
      },
      /circular/,
    ],
    [
      'a thunk of undefined',
      () => {
        class P {
          @Param({ type: () => undefined as unknown as Constructor }) a!: unknown;
        }
        return P;
      },
      /circular/,
    ],
    [
      'a property that no compiler saw',
      () => {
        class P {
          declare a: unknown;
        }
        Param('A')(P.prototype, 'a');
        return P;
      },
      /compiler emitted no type/,
    ],
  ])('E201: the type of a property cannot be determined: %s', (_what, make, problem) => {
    const faults = faultsOf(make());
    expect(faults).toMatchObject([{ code: 'E201', place: 'P.a', className: 'P', member: 'a' }]);
    expect(faults[0]?.problem).toMatch(problem);
    expect(faults[0]?.remedy).toContain('type: X');
  });

  test('a property whose type is not known does not hide the others', () => {
    class P {
      @Param('A') a!: unknown;
      @Param('B') b!: string;
      @Param('C') c!: object;
    }
    expect(faultsOf(P).map(({ member }) => member)).toEqual(['a', 'c']);
  });
});

test('a reference reads the same without a property around it', () => {
  const reader = new FieldTypeReader((type) => shapeOf(type));
  expect(reader.readReference({ array: String })).toEqual({ kind: 'array', items: { kind: 'string' } });
  expect(reader.readReference(() => [Number])).toEqual({ kind: 'array', items: { kind: 'number' } });
  expect(reader.readReference(Item)).toEqual(item);
  expect(reader.readReference({ tuple: [String, Object] })).toHaveProperty('problem');
  expect(kindOf(Item)).toEqual({ kind: 'number' });
});
