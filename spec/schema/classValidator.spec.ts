import {
  ArrayUnique,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Min,
  MinLength,
  registerDecorator,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { Type } from 'class-transformer';
import { Param } from 'toolwright';
import { instanceOf, issuesOf, kindsOf } from './reading';

describe('decorators with options', () => {
  test('may carry a message, with their tokens filled in', () => {
    class Params {
      @Param('N') @Min(3, { message: '$property of $target must be at least $constraint1, not $value' }) n!: number;
      @Param('T') @IsString({ message: ({ value }: ValidationArguments) => `no text: ${typeof value}` }) t!: string;
    }
    expect(issuesOf(Params, { n: 1, t: 'x' })).toEqual([
      {
        kind: 'constraint',
        path: 'n',
        message: expect.stringContaining('n of Params must be at least 3, not 1') as string,
      },
    ]);
    expect(kindsOf(Params, { n: 3, t: 5 })).toEqual(['type t']);
  });

  test('a token in a value is not filled in again', () => {
    class Params {
      @Param('T') @Matches(/^a/, { message: 'not $value' }) t!: string;
    }
    expect(issuesOf(Params, { t: '$target $&' })[0]?.message).toContain('not $target $&');
  });

  test('each on a property that is no array does not throw', () => {
    class Params {
      @Param('T') @MinLength(2, { each: true }) t!: string;
    }
    let outcome: unknown;
    try {
      outcome = kindsOf(Params, { t: 'a' });
    } catch (error) {
      outcome = error;
    }
    // Refused at creation, or an issue of the value: either says so to somebody who can mend it.
    expect(outcome).not.toBeInstanceOf(TypeError);
  });
});

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
      { kind: 'constraint', path: 'high', message: expect.stringContaining('high must be above low') as string },
    ]);
  });

  test('@Validate with a constraint class', () => {
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

  test('a rule without message still says which one it is', () => {
    class Params {
      @Param('A') a!: string;
    }
    registerDecorator({ name: 'isLucky', target: Params, propertyName: 'a', validator: { validate: () => false } });
    expect(issuesOf(Params, { a: 'x' })[0]?.message).toContain('isLucky');
  });

  test('are inherited', () => {
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

  test('one that no schema can say is checked all the same', () => {
    class Params {
      @Param({ type: [Number] }) @ArrayUnique() n!: number[];
    }
    expect(kindsOf(Params, { n: [1, 1] })).toEqual(['constraint n']);
    expect(instanceOf(Params, { n: [1, 2] }).n).toEqual([1, 2]);
  });
});

describe('@IsOptional, @IsDefined', () => {
  test('an optional property with rules is checked only when it is there', () => {
    class Params {
      @Param('A') @IsOptional() @MinLength(3) a?: string;
      @Param('B') @IsDefined() b!: string;
    }
    expect(instanceOf(Params, { b: 'x' })).toEqual({ b: 'x' });
    expect(instanceOf(Params, { a: null, b: 'x' })).toEqual({ b: 'x' });
    expect(kindsOf(Params, { a: 'x' })).toEqual(['missing b', 'constraint a']);
  });
});

describe('@ValidateNested', () => {
  class Item {
    @Param('Pieces') @IsInt() @Min(1) qty!: number;
  }
  class Params {
    @Param('One') @ValidateNested() one!: Item;
    @Param('Many') @ValidateNested({ each: true }) @Type(() => Item) many!: Item[];
  }

  test('requires its value and its kind', () => {
    expect(kindsOf(Params, {})).toEqual(['missing one', 'missing many']);
    expect(kindsOf(Params, { one: 5, many: {} })).toEqual(['type one', 'type many']);
    expect(kindsOf(Params, { one: null, many: [null, 1] })).toEqual(['type one', 'type many[0]', 'type many[1]']);
    expect(kindsOf(Params, { one: [], many: [[]] })).toEqual(['type one', 'type many[0]']);
  });

  test('checks what is inside, and makes real instances of it', () => {
    expect(kindsOf(Params, { one: { qty: 0 }, many: [{ qty: 1 }, { qty: 0 }] })).toEqual([
      'constraint one.qty',
      'constraint many[1].qty',
    ]);
    const { one, many } = instanceOf(Params, { one: { qty: 1 }, many: [{ qty: 2 }] });
    expect(one).toBeInstanceOf(Item);
    expect(many[0]).toBeInstanceOf(Item);
  });
});

describe('conditional rules', () => {
  class Params {
    @Param('Kind') kind!: string;
    @Param('Only for b') @ValidateIf(({ kind }: Params) => kind === 'b') @MinLength(3) more!: string;
  }

  test('@ValidateIf: judged where the condition holds', () => {
    expect(instanceOf(Params, { kind: 'a' })).toEqual({ kind: 'a' });
    expect(instanceOf(Params, { kind: 'b', more: 'long' }).more).toBe('long');
    expect(kindsOf(Params, { kind: 'b', more: 'x' })).toEqual(['constraint more']);
    expect(issuesOf(Params, { kind: 'b' })[0]?.path).toBe('more');
  });

  test('@ValidateIf: rules do not count where it does not hold', () => {
    expect(instanceOf(Params, { kind: 'a', more: 'x' }).more).toBe('x');
  });

  test('leave the rest of the class as strict as ever', () => {
    expect(kindsOf(Params, { kind: 5, more: 'long', zip: 1 })).toEqual(['extra zip', 'type kind']);
    expect(kindsOf(Params, {})).toEqual(['missing kind']);
  });

  test('groups: their rules hold, since nobody chooses a group', () => {
    class Grouped {
      @Param('N') @Min(3, { groups: ['strict'] }) n!: number;
    }
    expect(kindsOf(Grouped, { n: 1 })).toEqual(['constraint n']);
    expect(instanceOf(Grouped, { n: 3 }).n).toBe(3);
  });

  test('below the root: with the whole path', () => {
    class Outer {
      @Param({ type: [Params] }) list!: Params[];
    }
    expect(kindsOf(Outer, { list: [{ kind: 'a' }, { kind: 'b', more: 'x' }] })).toEqual(['constraint list[1].more']);
    expect(instanceOf(Outer, { list: [{ kind: 'a' }] }).list[0]).toBeInstanceOf(Params);
  });
});
