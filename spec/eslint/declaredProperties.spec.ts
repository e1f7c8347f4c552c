import { Linter, RuleTester } from 'eslint';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import toolwright from 'toolwright/eslint';

const plugins = { toolwright };
const config = defineConfig(tseslint.configs.base, {
  plugins,
  rules: { 'toolwright/declared-properties': 'error' },
});

/** The names of the properties that are reported. */
function reported(source: string): readonly string[] {
  const linter = new Linter({ configType: 'flat' });
  return linter
    .verify(source, [{ files: ['**/*.ts'] }, ...(config as Linter.Config[])], 'params.ts')
    .map(({ message }) => /^The property (.+) has no decorator/.exec(message)?.[1] ?? message);
}

describe('the rule declared-properties', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'DECL-31 a property without a decorator beside one with @Param',
      `import { Param } from 'toolwright';
       class P { @Param('City') city!: string; lines!: number; limit = 5; }`,
      ['lines', 'limit'],
    ],
    [
      'one beside @Field under another name, of any entry',
      `import { Field as Column, createApplication } from 'toolwright/schema';
       export const Row = class { @Column({ description: 'Id' }) id = 0; 'odd name' = 1; }`,
      ['odd name'],
    ],
    [
      'a parameter of the constructor that is a property',
      `import { Field } from 'toolwright';
       class Row { @Field('Id') id = 0; constructor(readonly note: string, private other = 1, plain = 2) {} }`,
      ['note', 'other'],
    ],
    [
      'nothing that is decorated, private, static, declared, a function or a member',
      `import { Param } from 'toolwright';
       import { IsInt } from 'class-validator';
       class P {
         @Param('City') city!: string;
         @IsInt() count!: number;
         @Param({ internal: true }) cache = 1;
         #hidden = 1; static shared = 2; declare inherited: string; look = () => 1;
         get twice() { return this.city; } ask(): void {}
       }`,
      [],
    ],
    [
      'nothing of a class without declarations',
      `import { Param } from 'toolwright'; class Service { client = 1; }`,
      [],
    ],
    [
      'a property without a decorator beside rules of class-validator alone, also where Param is not imported',
      `import { IsString as Text } from 'class-validator';
       export class CreateOrder { @Text() id!: string; note!: string; }`,
      ['note'],
    ],
    [
      'an optional property that its decorators require',
      `import { Param } from 'toolwright';
       import { IsInt, IsOptional } from 'class-validator';
       class P {
         @Param('City') city?: string;
         @IsInt() count?: number;
         @Param({ description: 'A', min: 1 }) amount?: number;
         @Param({ optional: true }) a?: string;
         @Param({ default: 1 }) b?: number;
         @IsOptional() @IsInt() c?: number;
         @Param(shared) d?: string;
         @Param({ ...shared }) e?: string;
         @Param('F') @IsOptional() f?: string;
         @Param({ internal: true }) g?: string;
       }`,
      [
        expect.stringMatching(/^The property city is optional here but required/) as string,
        expect.stringMatching(/^The property count is optional here/) as string,
        expect.stringMatching(/^The property amount is optional here/) as string,
      ],
    ],
    [
      'an enum of the file or a union of literals, of which compilers emit the word String',
      `import { Param } from 'toolwright';
       import { IsEnum, IsIn, IsString } from 'class-validator';
       import { ApiProperty } from '@nestjs/swagger';
       import { Far } from './far.js';
       enum Near { A = 'a' }
       export enum Level { Low, High }
       class P {
         @Param('A') a!: Near;
         @Param({ optional: true }) b?: Level | undefined;
         @IsString() c!: 'x' | 'y';
         @ApiProperty({ description: 'D' }) @IsString() d!: 'x';
         @Param({ enum: Near }) e!: Near;
         @IsEnum(Level) f!: Level;
         @IsIn(['x', 'y']) g!: 'x' | 'y';
         @ApiProperty({ enum: Near }) @IsString() h!: Near;
         @Param('I') @Transform(({ value }) => value) i!: Near;
         @Param(shared) j!: Near;
         @Param('K') k!: Far;
         @Param({ type: String }) l!: Near;
         @Param('M') m!: string;
         @Param('N') n!: 'x' | null;
         @Param('O') o = Near.A;
         @Param('P') p = Far.A;
       }
       class Other { near!: Near; }`,
      ['a', 'b', 'c', 'd', 'o'].map(
        (name) =>
          expect.stringMatching(
            `^The property ${name} has a few values here but accepts any string or number`,
          ) as string,
      ),
    ],
    [
      'nothing for decorators of others',
      `import { Param } from '@nestjs/common'; class C { @Param('id') id = 1; x = 2; }`,
      [],
    ],
    [
      'nothing of a class around it',
      `import { Param } from 'toolwright';
       class Service { client = 1; make() { return class { @Param('A') a = 1; }; } }`,
      [],
    ],
  ])('the rule declared-properties checks %s', (_what, source, expected) => {
    expect(reported(source)).toEqual(expected);
  });

  test('the rule declared-properties has a message with the remedy', () => {
    const source = `import { Param } from 'toolwright'; class P { @Param('City') city!: string; lines!: number; }`;
    const linter = new Linter({ configType: 'flat' });
    const [found] = linter.verify(source, [{ files: ['**/*.ts'] }, ...(config as Linter.Config[])], 'params.ts');
    expect(found).toMatchObject({ ruleId: 'toolwright/declared-properties', severity: 2, line: 1 });
    expect(found?.message).toContain('@Param({ internal: true })');
  });

  test('the rule declared-properties is a rule that ESLint accepts', () => {
    RuleTester.describe = (_name, work: () => void) => {
      work();
    };
    RuleTester.it = (_name, work: () => void) => {
      work();
    };
    new RuleTester({ languageOptions: { parser: tseslint.parser } }).run('x', toolwright.rules['declared-properties'], {
      valid: ['class A { b = 1; }'],
      invalid: [],
    });
  });
});
