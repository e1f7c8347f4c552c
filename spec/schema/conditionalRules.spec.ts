import { IsIn, IsInt, IsNotIn, Matches, Min, MinLength, ValidateIf } from 'class-validator';
import { Param } from 'toolwright';
import { writeClassSchema } from '../../src/schema/emit/writeClassSchema';
import { instanceOf, issuesOf, kindsOf, shapeOf } from './reading';

describe('conditional rules', () => {
  class Params {
    @Param('Kind') kind!: string;
    @Param('Only for b') @ValidateIf(({ kind }: Params) => kind === 'b') @MinLength(3) more!: string;
  }

  test('@ValidateIf: judged where the condition holds', () => {
    expect(instanceOf(Params, { kind: 'a' })).toEqual({ kind: 'a' });
    expect(instanceOf(Params, { kind: 'b', more: 'long' }).more).toBe('long');
    expect(kindsOf(Params, { kind: 'b', more: 'x' })).toEqual(['constraint more']);
    expect(issuesOf(Params, { kind: 'b', more: 'x' })[0]?.message).toBe(
      'expected at least 3 characters, got the string "x"',
    );
    expect(issuesOf(Params, { kind: 'b' })).toEqual([
      { kind: 'missing', path: 'more', message: 'is required: a string, at least 3 characters' },
    ]);
  });

  test('@ValidateIf: rules do not count where it does not hold', () => {
    expect(instanceOf(Params, { kind: 'a', more: 'x' }).more).toBe('x');
  });

  test('conditional rules leave the rest of the class strict', () => {
    expect(kindsOf(Params, { kind: 5, more: 'long', zip: 1 })).toEqual(['extra zip', 'type kind']);
    expect(kindsOf(Params, {})).toEqual(['missing kind']);
  });

  test('@ValidateIf: where the condition holds, what is required has to be there, whether or not a rule says so', () => {
    class Strict {
      @Param({ optional: true }) kind?: string;
      @Param('More') @ValidateIf(({ kind }: Strict) => kind === 'b') @IsNotIn(['x']) more!: string;
      @Param({ optional: true }) @ValidateIf(({ kind }: Strict) => kind === 'b') @MinLength(3) maybe?: string;
      @Param({ nullable: true }) @ValidateIf(() => true) @MinLength(3) nullable!: string | null;
    }
    const right = { nullable: null };
    expect(kindsOf(Strict, { ...right, kind: 'b' })).toEqual(['missing more']);
    expect(kindsOf(Strict, {})).toEqual(['missing nullable']);
    expect(instanceOf(Strict, { ...right, kind: 'b', more: 'y' })).toEqual({ kind: 'b', more: 'y', nullable: null });
    expect(instanceOf(Strict, right)).toEqual(right);
    expect(kindsOf(Strict, { ...right, more: 5 })).toEqual(['type more']);
  });

  test('@ValidateIf: the schema promises nothing that holds at times', () => {
    class Open {
      @Param('N') @ValidateIf(() => false) @IsInt() @Min(3) n!: number;
      @Param('T') @ValidateIf(() => false) @IsIn(['a']) t!: string;
    }
    expect(writeClassSchema(shapeOf(Open))).toEqual({
      type: 'object',
      properties: { n: { type: 'number', description: 'N' }, t: { type: 'string', description: 'T' } },
      additionalProperties: false,
    });
    expect(instanceOf(Open, { n: 1.5, t: 'b' })).toEqual({ n: 1.5, t: 'b' });
  });

  test('validateIf: the one rule counts where the condition holds; the property is required as ever', () => {
    class One {
      @Param('Kind') kind!: string;
      @Param('Text') @MinLength(3, { validateIf: ({ kind }: One) => kind === 'b' }) @Matches(/^a/) text!: string;
    }
    expect(instanceOf(One, { kind: 'a', text: 'a' }).text).toBe('a');
    expect(kindsOf(One, { kind: 'b', text: 'a' })).toEqual(['constraint text']);
    expect(kindsOf(One, { kind: 'a', text: 'b' })).toEqual(['constraint text']);
    expect(kindsOf(One, { kind: 'a' })).toEqual(['missing text']);
    expect(writeClassSchema(shapeOf(One))).toMatchObject({ properties: { text: { pattern: '^a' } } });
    expect(JSON.stringify(writeClassSchema(shapeOf(One)))).not.toContain('minLength');
  });

  test('conditional rules of a secret property do not repeat its value', () => {
    class Login {
      @Param({ secret: true })
      @ValidateIf(() => true)
      @MinLength(9, { message: '$value is too short' })
      password!: string;
    }
    const [issue] = issuesOf(Login, { password: 'hunter2' });
    expect(issue).toMatchObject({ kind: 'constraint', path: 'password' });
    expect(issue?.message).not.toContain('hunter2');
  });

  test('rules with groups always apply, since no group is chosen', () => {
    class Grouped {
      @Param('N') @Min(3, { groups: ['strict'] }) n!: number;
    }
    expect(kindsOf(Grouped, { n: 1 })).toEqual(['constraint n']);
    expect(kindsOf(Grouped, {})).toEqual(['missing n']);
    expect(instanceOf(Grouped, { n: 3 }).n).toBe(3);
  });

  test('conditional rules below the root are checked, with the whole path', () => {
    class Outer {
      @Param({ type: [Params] }) list!: Params[];
    }
    expect(kindsOf(Outer, { list: [{ kind: 'a' }, { kind: 'b', more: 'x' }] })).toEqual(['constraint list[1].more']);
    expect(instanceOf(Outer, { list: [{ kind: 'a' }] }).list[0]).toBeInstanceOf(Params);
  });
});
