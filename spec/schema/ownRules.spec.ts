import {
  ArrayUnique,
  IsByteLength,
  IsIn,
  IsInt,
  IsNumber,
  Matches,
  Min,
  MinLength,
  registerDecorator,
  Validate,
  ValidateIf,
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { Param } from 'toolwright';
import { writeClassSchema } from '../../src/schema/emit/writeClassSchema';
import { instanceOf, issuesOf, kindsOf, shapeOf } from './reading';

describe('rules of their own', () => {
  test('registerDecorator: the value, the constraints and the whole object are there', () => {
    const above = (object: object, propertyName: string): void => {
      registerDecorator({
        name: 'above',
        target: object.constructor,
        propertyName,
        constraints: ['low'],
        validator: {
          validate: (value: number, { object: owner, constraints }: ValidationArguments) =>
            value > (owner as Record<string, number>)[constraints[0] as string]!,
          defaultMessage: () => '$property must be above $constraint1',
        },
      });
    };
    class Params {
      @above @Param('High') high!: number;
      @Param('Low') low!: number;
    }
    expect(instanceOf(Params, { high: 5, low: 3 })).toEqual({ high: 5, low: 3 });
    expect(issuesOf(Params, { high: 1, low: 3 })).toEqual([
      { kind: 'constraint', path: 'high', message: expect.stringContaining('must be above low') as string },
    ]);
  });

  test('@Validate is checked with a constraint class', () => {
    @ValidatorConstraint({ name: 'even' })
    class Even implements ValidatorConstraintInterface {
      validate(value: unknown): boolean {
        return typeof value === 'number' && value % 2 === 0;
      }
      defaultMessage(): string {
        return 'an even number';
      }
    }
    class Params {
      @Param('N') @Validate(Even) n!: number;
    }
    expect(instanceOf(Params, { n: 2 }).n).toBe(2);
    expect(issuesOf(Params, { n: 3 })[0]?.message).toContain('an even number');
  });

  test('a rule about a list is given the list that the property holds', () => {
    const held = (object: object, propertyName: string): void => {
      registerDecorator({
        name: 'held',
        target: object.constructor,
        propertyName,
        validator: {
          validate: (value: unknown, { object: owner }: ValidationArguments) =>
            value === (owner as Record<string, unknown>)[propertyName],
        },
      });
    };
    class Params {
      @held @Param({ type: [String] }) tags!: string[];
    }
    expect(instanceOf(Params, { tags: ['a', 'b'] })).toEqual({ tags: ['a', 'b'] });
  });

  test('a rule without message still says which one it is', () => {
    class Params {
      @Param('A') a!: string;
    }
    registerDecorator({ name: 'isLucky', target: Params, propertyName: 'a', validator: { validate: () => false } });
    expect(issuesOf(Params, { a: 'x' })[0]?.message).toContain('isLucky');
  });

  test('custom rules are inherited', () => {
    class Base {
      @Param('N') @Min(3) n!: number;
    }
    class Sub extends Base {
      @Param('M') m = 1;
    }
    expect(kindsOf(Sub, { n: 1 })).toEqual(['constraint n']);
  });

  test('several on one property are all reported', () => {
    class Params {
      @Param('A') @MinLength(3) @Matches(/^#/) @IsIn(['#ab', '#cd']) a!: string;
    }
    expect(kindsOf(Params, { a: 'x' })).toEqual(['constraint a', 'constraint a', 'constraint a']);
    expect(instanceOf(Params, { a: '#ab' }).a).toBe('#ab');
  });

  test('a rule that no schema can express is checked all the same', () => {
    class Params {
      @Param({ type: [Number] }) @ArrayUnique() n!: number[];
    }
    expect(kindsOf(Params, { n: [1, 1] })).toEqual(['constraint n']);
    expect(instanceOf(Params, { n: [1, 2] }).n).toEqual([1, 2]);
  });
});

describe('rules of users under the names of built-in ones', () => {
  /** A rule of a user: its name, and what it takes. */
  const own =
    (name: string, takes: (value: unknown) => unknown, constraints: unknown[] = [], message?: string) =>
    (object: object, propertyName: string): void => {
      registerDecorator({
        name,
        target: object.constructor,
        propertyName,
        constraints,
        validator: {
          validate: (value) => takes(value) as boolean,
          ...(message === undefined ? {} : { defaultMessage: () => message }),
        },
      });
    };

  test('custom rules under the names of built-in ones are used in the verdict, in the schema and in the type', () => {
    class Params {
      @own('min', (value) => value !== 3, [5]) @Param('A') a!: number;
      @own('isInt', (value) => typeof value === 'number') @Param('B') b!: number;
      @own('isString', (value) => value === 'x') @Param('C') c!: string;
      @own('isOptional', () => true) @Param('D') d!: string;
      @own('isDefined', (value) => value !== 'no') @Param('E') e!: string;
      @own('matches', () => true, ['(']) @Param('F') f!: string;
    }
    const right = { a: 1, b: 1.5, c: 'x', d: '', e: 'yes', f: '' };
    expect(instanceOf(Params, right)).toEqual(right);
    expect(kindsOf(Params, { ...right, a: 3, c: 'y', e: 'no' })).toEqual([
      'constraint a',
      'constraint c',
      'constraint e',
    ]);
    expect(writeClassSchema(shapeOf(Params))).toEqual({
      type: 'object',
      properties: {
        a: { type: 'number', description: 'A' },
        b: { type: 'number', description: 'B' },
        c: { type: 'string', description: 'C' },
        d: { type: 'string', description: 'D' },
        e: { type: 'string', description: 'E' },
        f: { type: 'string', description: 'F' },
      },
      required: ['a', 'b', 'c', 'd', 'e', 'f'],
      additionalProperties: false,
    });
  });

  test('custom rules are distinguished even when they repeat the message', () => {
    const wider = own('isInt', (value) => typeof value === 'number', [], '$property must be an integer number');
    class Params {
      @wider @Param('N') n!: number;
      @IsInt() @Param('M') m!: number;
    }
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({
      properties: { n: { type: 'number' }, m: { type: 'integer' } },
    });
    expect(instanceOf(Params, { n: 1.5, m: 1 }).n).toBe(1.5);
  });

  test('a built-in rule stays known with each, with a message, and below a subclass', () => {
    class Base {
      @Param({ type: [Number] }) @Min(2, { each: true, message: 'too small' }) n!: number[];
    }
    class Params extends Base {
      @Param('M') m = 1;
    }
    expect(writeClassSchema(shapeOf(Params))).toMatchObject({ properties: { n: { items: { minimum: 2 } } } });
    expect(issuesOf(Params, { n: [1] })).toEqual([{ kind: 'constraint', path: 'n[0]', message: 'too small' }]);
  });
});

describe('a rule of its own that', () => {
  const rule = (validate: (value: unknown) => unknown) => (object: object, propertyName: string) => {
    registerDecorator({
      name: 'odd',
      target: object.constructor,
      propertyName,
      validator: { validate: (value) => validate(value) as boolean },
    });
  };

  test('a rule that returns a truthy value has accepted; a promise has not', () => {
    class Params {
      @rule((value) => /^a/.exec(String(value))) @Param('A') a!: string;
      @rule(() => 1) @Param('B') b!: string;
      @rule(() => 0) @Param('C') c!: string;
      @rule(async () => Promise.resolve(true)) @Param('D') d!: string;
    }
    expect(kindsOf(Params, { a: 'ab', b: '', c: '', d: '' })).toEqual(['constraint c', 'constraint d']);
    expect(kindsOf(Params, { a: 'b', b: '', c: '', d: '' })).toEqual(['constraint a', 'constraint c', 'constraint d']);
  });

  test('a rule of its own that throws has not accepted, and says so', () => {
    class Params {
      @rule(() => {
        throw new TypeError('no connection');
      })
      @Param('A')
      a!: string;
    }
    expect(issuesOf(Params, { a: 'x' })).toEqual([
      { kind: 'constraint', path: 'a', message: 'could not be checked: no connection' },
    ]);
  });

  test('ARG-13 ARG-15 is built in and throws makes an issue of it, too', () => {
    class Params {
      @Param('N') @IsNumber({ maxDecimalPlaces: 2 }) n!: number;
      @Param('T') @IsByteLength(1, 4) t!: string;
    }
    expect(kindsOf(Params, { n: 1e-7, t: '\ud83d' })).toEqual(['constraint n', 'constraint t']);
    expect(instanceOf(Params, { n: 0.25, t: '😀' })).toEqual({ n: 0.25, t: '😀' });
  });

  test('a rule of its own that throws while a condition is asked makes an issue of it', () => {
    class Params {
      @Param('A')
      @ValidateIf(() => {
        throw new TypeError('no connection');
      })
      @MinLength(2)
      a!: string;
    }
    expect(issuesOf(Params, { a: 'x' })).toEqual([
      { kind: 'constraint', path: 'a', message: 'could not be checked: no connection' },
    ]);
  });
});
