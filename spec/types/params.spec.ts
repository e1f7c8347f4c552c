import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

jest.setTimeout(60_000);
const root = join(__dirname, '../..');
const folder = join(__dirname, 'params');
const right = join(folder, 'right.ts');
const wrong = join(folder, 'wrong.ts');

const optional =
  'an optional property needs optional: true or a default in its own decorator; @IsOptional() or an initialiser is not enough';
const noEnum =
  'a union of literals or an enum needs its values as enum in its own decorator; @IsIn() or @IsEnum() is not enough';
const foreign = 'enum has a value outside the type of the property: remove the value, or add it to the type';
const unfit = 'the default does not match the type of the property: change one of them';

/** Each a wrong property, and a part of what the compiler says of it. */
const optionality: readonly (readonly [string, string])[] = [
  ["@Param('x') p?: number;", optional],
  ["@Field('x') p?: number;", optional],
  ["@Param('x') @IsOptional() p?: number;", optional],
  ["@Param('x') p?: number = 5;", optional],
  ['@Param({ optional: false }) p?: number;', optional],
  ['@Param({ default: undefined }) p?: number;', optional],
  ["@Param('x') p?: 'x' | 'y';", optional],
  ["@Param({ type: 'any' }) p?: unknown;", optional],
  ["@Param({ type: 'any' }) p?: T;", optional],
  ["@Param('x') p?: Wrong<T>;", optional],
];
const values: readonly (readonly [string, string])[] = [
  ["@Param('x') p!: Kind;", noEnum],
  ["@Param('x') p!: Level;", noEnum],
  ["@Param('x') p!: 'x' | 'y';", noEnum],
  ["@Param('x') p!: 1 | 2;", noEnum],
  ["@Param('x') p!: 'x' | 'y' | null;", noEnum],
  ["@Param('x') p!: readonly Kind[];", noEnum],
  ["@Param('x') p = 'x' as 'x' | 'y';", noEnum],
  ["@Param({ optional: true }) p?: 'x' | 'y';", noEnum],
  ["@Param({ type: String }) p!: 'x' | 'y';", noEnum],
  ["@Param({ type: () => [String] }) p!: ('x' | 'y')[];", noEnum],
  ["@Param('x') @IsIn(['x', 'y']) p!: 'x' | 'y';", noEnum],
  ["@Param({ enum: ['x', 'z'] }) p!: 'x' | 'y';", foreign],
  ["@Param({ enum: Kind }) p!: 'x' | 'y';", foreign],
  ["@Param({ enum: ['c'] }) p!: Kind;", foreign],
  ['@Param({ enum: [7] }) p!: Level;', foreign],
  ['@Param({ enum: [1] }) p!: string;', foreign],
  ["@Param({ enum: Kind }) p!: ('x' | 'y')[];", foreign],
  ["@Param({ default: 'x' }) p!: number;", unfit],
  ["@Param({ default: 'z', enum: ['x', 'y'] }) p!: 'x' | 'y';", unfit],
  ["@Param({ default: ['x'], type: [Number] }) p!: number[];", unfit],
  ["@Param({ default: '2030-01-31' }) p!: Date;", unfit],
  ['@Param({ default: 5 }) p?: string;', unfit],
  ['@Param({ default: [], enum: Kind }) p!: Kind;', unfit],
];
const misspelt: readonly (readonly [string, string])[] = [
  ["@Param({ description: 'x', optinal: true }) p!: string;", "Did you mean to write 'optional'?"],
  ["@Field({ enum: ['x'], defalt: 'x' }) p!: string;", "Did you mean to write 'default'?"],
];
const onlyStrict: readonly (readonly [string, string])[] = [
  ['@Param({ default: {} }) p!: string;', unfit],
  ['@Param({ default: null }) p!: string;', unfit],
  ["@Param({ enum: ['x', null] }) p!: 'x' | 'y';", foreign],
];
const cases = [...optionality, ...values, ...misspelt, ...onlyStrict];

const head = `
  import { IsIn, IsOptional } from 'class-validator';
  import { Field, Param } from '../../../src/decorator/Param.js';
  enum Kind { A = 'a', B = 'b' }
  enum Level { Low, High = 5 }
  export class Wrong<T> { p?: T; }
`;
const text = head + cases.map(([p], index) => `export class Wrong${String(index)}<T> { ${p} }\n`).join('');

/** Each file, parsed and bound once for both programs: `strictNullChecks` matters to the checker alone. */
const files = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says of both files, the wrong one by the number of its class. */
function complaints(strictNullChecks: boolean): {
  readonly right: readonly string[];
  readonly wrong: readonly string[];
} {
  const file = join(root, 'tsconfig.json');
  const config: unknown = ts.parseConfigFileTextToJson(file, readFileSync(file, 'utf8')).config;
  const { compilerOptions } = config as { readonly compilerOptions: object };
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...compilerOptions, strictNullChecks, exactOptionalPropertyTypes: false, strictPropertyInitialization: false },
    root,
  );
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target, ...rest) => {
    if (!files.has(name))
      files.set(name, name === wrong ? ts.createSourceFile(name, text, target) : read(name, target, ...rest));
    return files.get(name);
  };
  const program = ts.createProgram([right, wrong], options, host);
  const said = (name: string): readonly ts.Diagnostic[] => program.getSemanticDiagnostics(program.getSourceFile(name));
  const flat = ({ messageText }: ts.Diagnostic): string => ts.flattenDiagnosticMessageText(messageText, '\n');
  const lines = text.split('\n').map(() => '');
  for (const fault of said(wrong)) {
    const { line } = ts.getLineAndCharacterOfPosition(fault.file!, fault.start!);
    lines[line] = `${lines[line] ?? ''}${flat(fault)}`;
  }
  const first = head.split('\n').length - 1;
  return { right: said(right).map(flat), wrong: lines.slice(first, first + cases.length) };
}

const strict = complaints(true);
const loose = complaints(false);
const numbered = (list: readonly (readonly [string, string])[]) =>
  list.map(([declared, says]) => ({ declared, says, index: cases.findIndex(([other]) => other === declared) }));

describe('a property and its decorator', () => {
  test.each(numbered(optionality))('an optional property says so in its decorator: $declared', ({ says, index }) => {
    expect(strict.wrong[index]).toContain(says);
  });

  test.each(numbered(values))('values, enum and default agree: $declared', ({ says, index }) => {
    expect(strict.wrong[index]).toContain(says);
  });

  test.each(numbered([...misspelt, ...onlyStrict]))('a decorator does not compile: $declared', ({ says, index }) => {
    expect(strict.wrong[index]).toContain(says);
  });

  test('every form of right declarations compiles, generic and private ones included', () => {
    expect(strict.right).toEqual([]);
  });
});

describe('without strictNullChecks', () => {
  test('nothing is said of optional properties', () => {
    expect(loose.wrong.join('')).not.toContain(optional);
  });

  test('every form of right declarations compiles', () => {
    expect(loose.right).toEqual([]);
  });

  test.each(numbered(values))('values, enum and default agree: $declared', ({ says, index }) => {
    expect(loose.wrong[index]).toContain(says);
  });
});
