import { IsOptional, Matches, Min, registerDecorator, ValidateIf, type ValidationArguments } from 'class-validator';
import { Param } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { faultsOf, instanceOf, kindsOf, shapeOf } from '../reading';

describe('a default', () => {
  test('a default comes from the initialiser: applied, published, and the property is optional', () => {
    class Params {
      @Param('N') n = 5;
      @Param({ type: [String] }) tags: string[] = ['a'];
    }
    expect(instanceOf(Params, {})).toEqual({ n: 5, tags: ['a'] });
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({
      properties: { n: { default: 5 }, tags: { default: ['a'] } },
    });
    expect(writeClassSchema(shapeOf(Params))).not.toHaveProperty('required');
    expect(instanceOf(Params, { n: 7 })).toEqual({ n: 7, tags: ['a'] });
  });

  test('a default that differs each time is applied, but not published', () => {
    let count = 0;
    class Params {
      @Param('Id') id = `id${++count}`;
      @Param('At') at: Date = new Date(++count);
    }
    const schema = writeClassSchema(shapeOf(Params));
    expect(schema).not.toHaveProperty('required');
    expect(JSON.stringify(schema)).not.toContain('default');
    const [first, second] = [instanceOf(Params, {}), instanceOf(Params, {})];
    expect(first.id).toMatch(/^id\d+$/);
    expect(first.id).not.toBe(second.id);
  });

  test('a default that is the current time is applied, but not published, even when both instances fall into one millisecond', () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2030, 0, 1));
    try {
      class Params {
        @Param('At') at = new Date(Date.now());
        @Param('Stamp') stamp = Date.now();
        @Param('Text') text = new Date(Date.now()).toISOString();
        @Param('Epoch') epoch = new Date(0);
        @Param('Day') day = '2020-01-01';
      }
      const schema = writeClassSchema(shapeOf(Params));
      expect(schema).not.toHaveProperty('required');
      expect(Object.entries(schema['properties'] ?? {}).filter(([, field]) => 'default' in field)).toEqual([
        ['epoch', expect.anything()],
        ['day', expect.anything()],
      ]);
      expect(instanceOf(Params, {}).stamp).toBe(Date.UTC(2030, 0, 1));
    } finally {
      clock.mockRestore();
    }
  });

  test('a default comes from the option: applied, published, new each time', () => {
    class Params {
      @Param({ type: [String], default: ['a'] }) tags!: string[];
      @Param({ default: 3 }) n!: number;
    }
    const shape = shapeOf(Params);
    const [first, second] = [instanceOf(Params, {}), instanceOf(Params, {})];
    expect(first).toEqual({ tags: ['a'], n: 3 });
    first.tags.push('b');
    expect(second.tags).toEqual(['a']);
    expect(instanceOf(Params, {}).tags).toEqual(['a']);
    expect(writeClassSchema(shape)).toMatchObject({ properties: { tags: { default: ['a'] }, n: { default: 3 } } });
  });

  test('a default of the option wins over the initialiser', () => {
    class Params {
      @Param({ default: 3 }) n = 9;
    }
    expect(instanceOf(Params, {}).n).toBe(3);
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({ properties: { n: { default: 3 } } });
  });

  test('a default that is falsy is a default like others', () => {
    class Params {
      @Param('A') a = '';
      @Param('B') b = false;
      @Param('C') c = 0;
    }
    expect(instanceOf(Params, {})).toEqual({ a: '', b: false, c: 0 });
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({
      properties: { a: { default: '' }, b: { default: false }, c: { default: 0 } },
    });
  });

  test('a default is refused when the rules would refuse it: E203', () => {
    class Params {
      @Param({ min: 5 }) n = 3;
      @Param('Id') @Matches(/^#/) id = 'W1';
      @Param({ enum: ['a', 'b'] }) e = 'c';
      @Param({ min: 5 }) right = 5;
    }
    expect(faultsOf(Params).map(({ code, member }) => `${code} ${member}`)).toEqual(['E203 n', 'E203 id', 'E203 e']);
  });

  test('a default is checked beside the other properties', () => {
    const above = (object: object, propertyName: string): void => {
      registerDecorator({
        name: 'above',
        target: object.constructor,
        propertyName,
        validator: {
          validate: (value: number, { object: owner }: ValidationArguments) => value > (owner as Params).low,
        },
      });
    };
    class Params {
      @above @Param('High') high = 5;
      @Param('Low') low = 1;
    }
    expect(faultsOf(Params)).toEqual([]);
    expect(instanceOf(Params, { low: 4 }).high).toBe(5);
    expect(kindsOf(Params, { high: 3, low: 4 })).toEqual(['constraint high']);
  });

  test('a default is checked again by rules of users, which look at what came with it', () => {
    const above = (object: object, propertyName: string): void => {
      registerDecorator({
        name: 'above',
        target: object.constructor,
        propertyName,
        validator: {
          validate: (value: number, { object: owner }: ValidationArguments) => value > (owner as { low: number }).low,
        },
      });
    };
    class Params {
      @above @Param('High') high = 5;
      @Param('Low') low!: number;
    }
    expect(faultsOf(Params)).toEqual([]);
    expect(instanceOf(Params, { low: 4 }).high).toBe(5);
    expect(kindsOf(Params, { low: 9 })).toEqual(['constraint high']);
    expect(kindsOf(Params, { low: 9, high: null })).toEqual(['constraint high']);
    class Strict {
      @above @Param({ min: 8 }) high = 5;
      @Param('Low') low!: number;
    }
    expect(faultsOf(Strict).map(({ code, member }) => `${code} ${member}`)).toEqual(['E203 high']);
  });

  test('a default under a condition still has to be of the type: E203', () => {
    class Params {
      // @ts-expect-error: the default is not a number
      @Param({ type: Number, default: 'x' }) @ValidateIf(() => false) @Min(3) n!: number;
      @Param({ default: 1 }) @ValidateIf(() => false) @Min(3) m!: number;
    }
    expect(faultsOf(Params).map(({ code, member }) => `${code} ${member}`)).toEqual(['E203 n']);
  });

  test('a default inherited from a prototype does not count', () => {
    class Params {
      @Param('Text') text = '';
    }
    for (const name of ['toString', 'constructor', 'hasOwnProperty']) Param({ type: String })(Params.prototype, name);
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({
      required: ['toString', 'constructor', 'hasOwnProperty'],
    });
    expect(kindsOf(Params, {})).toEqual(['missing toString', 'missing constructor', 'missing hasOwnProperty']);
  });
});

describe('an optional property', () => {
  test.each<[string, () => new () => object]>([
    [
      'optional: true',
      () => {
        class Params {
          @Param({ optional: true }) a?: string;
        }
        return Params;
      },
    ],
    [
      '@IsOptional',
      () => {
        class Params {
          // @ts-expect-error: the compiler sees no rules of class-validator
          @Param('A') @IsOptional() a?: string;
        }
        return Params;
      },
    ],
  ])('a property that is optional by %s may be left out, and stays undefined', (_how, make) => {
    const type = make();
    expect(instanceOf(type, {})).toEqual({});
    expect(writeClassSchema(shapeOf(type))).not.toHaveProperty('required');
  });
});
