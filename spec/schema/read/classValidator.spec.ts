import { Type } from 'class-transformer';
import {
  IsDefined,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Min,
  MinLength,
  registerDecorator,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { Param } from 'toolwright';
import { instanceOf, issuesOf, kindsOf } from '../reading';

describe('decorators with options', () => {
  test('decorators may carry a message, with their tokens filled in', () => {
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

  test('a rule may have more than nine constraints', () => {
    class Params {
      @Param('N') n!: number;
    }
    registerDecorator({
      name: 'grade',
      target: Params,
      propertyName: 'n',
      constraints: Array.from('abcdefghijk'),
      options: { message: 'between $constraint1, $constraint10 and $constraint11' },
      validator: { validate: () => false },
    });
    expect(issuesOf(Params, { n: 1 })).toEqual([{ kind: 'constraint', path: 'n', message: 'between a, j and k' }]);
  });

  test('a pattern with the flag g is known as any other', () => {
    class Params {
      @Param('T') @Matches(/[a-z]/g) t!: string;
    }
    expect(instanceOf(Params, { t: '5a' })).toEqual({ t: '5a' });
    expect(issuesOf(Params, { t: '5' })).toEqual([
      { kind: 'constraint', path: 't', message: 'expected text that matches /[a-z]/g, got the string "5"' },
    ]);
  });

  test('a rule with each on a property that is not an array does not throw', () => {
    class Params {
      @Param('T') @MinLength(2, { each: true }) t!: string;
    }
    let outcome: unknown;
    try {
      outcome = kindsOf(Params, { t: 'a' });
    } catch (error) {
      outcome = error;
    }
    // Refused at creation, or an issue of the value: either reaches whom it concerns: the developer or the model.
    expect(outcome).not.toBeInstanceOf(TypeError);
  });
});

describe('@IsOptional, @IsDefined', () => {
  test('an optional property with rules is checked only when it is there', () => {
    class Params {
      // @ts-expect-error: the compiler sees no rules of class-validator
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

  test('@ValidateNested requires its value and its kind', () => {
    expect(kindsOf(Params, {})).toEqual(['missing one', 'missing many']);
    expect(kindsOf(Params, { one: 5, many: {} })).toEqual(['type one', 'type many']);
    expect(kindsOf(Params, { one: null, many: [null, 1] })).toEqual(['type one', 'type many[0]', 'type many[1]']);
    expect(kindsOf(Params, { one: [], many: [[]] })).toEqual(['type one', 'type many[0]']);
  });

  test('@ValidateNested checks what is inside, and makes real instances of it', () => {
    expect(kindsOf(Params, { one: { qty: 0 }, many: [{ qty: 1 }, { qty: 0 }] })).toEqual([
      'constraint one.qty',
      'constraint many[1].qty',
    ]);
    const { one, many } = instanceOf(Params, { one: { qty: 1 }, many: [{ qty: 2 }] });
    expect(one).toBeInstanceOf(Item);
    expect(many[0]).toBeInstanceOf(Item);
  });
});
