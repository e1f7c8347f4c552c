import * as acorn from 'acorn';
import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import * as sucrase from 'sucrase';
import { createParsers } from '../../src/check/createParsers.js';
import { readProgram } from '../../src/check/readProgram.js';
import type { ProgramFault } from '../../src/ExecutionResult.js';

const parsers = createParsers(acorn, sucrase);

function bodyOf(source: string): string {
  const outcome = readProgram(source, parsers);
  if (!outcome.ok) throw new TypeError(`refused: ${outcome.fault.message}`);
  return outcome.read.body;
}

function faultOf(source: string): ProgramFault {
  const outcome = readProgram(source, parsers);
  if (outcome.ok) throw new TypeError(`taken: ${outcome.read.body}`);
  return outcome.fault;
}

describe('the value of a program', () => {
  test.each([
    ['the last expression', 'const x = 20;\nx * 2 + 2', 'const x = 20;\nreturn x * 2 + 2'],
    ['the last expression without a semicolon before it', 'const x = 20\nx', 'const x = 20\nreturn x'],
    ['one that goes over lines', 'x\n  .map(f)\n  .length', 'return x\n  .map(f)\n  .length'],
    ['one in parentheses', '({ a: 1 })', 'return ({ a: 1 })'],
    ['a template', '`${a}\n`', 'return `${a}\n`'],
    ['before a comment at the end', 'x // the end', 'return x // the end'],
    ['before stray semicolons', 'x;;\n;', 'return x;;\n;'],
    [
      'before functions that are declared below',
      'main();\nasync function main() {}',
      'return main();\nasync function main() {}',
    ],
    ['behind an early return', 'if (a) return 1;\nb', 'if (a) return 1;\nreturn b'],
    ['a text', "'use strict'", "return 'use strict'"],
    ['an object that would be a block', 'f();\n{ a: 1 }', 'f();\nreturn { a: 1 }'],
    ['an object of variables', '{ a, b }', 'return { a, b }'],
    ['none: an empty program', '', ''],
    ['none: a comment', '// nothing', '// nothing'],
    ['none: an empty block', '{}', '{}'],
    ['none: a block', '{ const a = 1; f(a); }', '{ const a = 1; f(a); }'],
    ['none: a loop', 'for (;;) x', 'for (;;) x'],
    ['none: a declaration', 'f(); const x = 1;', 'f(); const x = 1;'],
    ['none: a return of its own', 'x; return 5;', 'x; return 5;'],
  ])('a program returns %s', (_, source, body) => {
    expect(bodyOf(source)).toBe(body);
  });
});

describe('types', () => {
  test.each([
    ['annotations', 'const x: number = 1;\nx as unknown', 'const x = 1;\nreturn x '],
    ['interfaces, on their lines', 'interface A {\n  a: string;\n}\nf<A>()', '\n\n\nreturn f()'],
    ['type-only statements at the end', 'f()\ntype A = string', 'return f()\n'],
    ['satisfies', 'f(x satisfies A)', 'return f(x )'],
    ['a non-null assertion', 'x!.y', 'return x.y'],
    ['this parameters and overloads', 'function f(this: A): void;\nfunction f() {}', '\nfunction f() {}'],
    ['ambient declarations', 'declare const x: number;\nx', '\nreturn x'],
    ['a word like a namespace', 'const module: number = 1; module', 'const module = 1; return module'],
    ['a text like a namespace', 'const a: string = `module "m" {`', 'const a = `module "m" {`'],
  ])('readProgram strips types: %s', (_, source, body) => {
    expect(bodyOf(source)).toBe(body);
  });

  test('an enum is a value', () => {
    const body = bodyOf('enum A {\n  one,\n  two = "2",\n}\n[A.one, A.two]');
    expect(runInNewContext(`JSON.stringify((() => { ${body} })())`)).toBe('[0,"2"]');
  });

  test('plain JavaScript stays as it is, to the column', () => {
    const source = 'const f = (a,b)=>a<b>(c);  f( 1 ,2 )\n';
    expect(bodyOf(source)).toBe(source.replace('f( 1', 'return f( 1'));
  });
});

describe('refused', () => {
  const message = 'A program imports and exports nothing';
  test.each([
    ['import f from "f";', message, 1, 1],
    ['\n  import "f";', message, 2, 3],
    ['const f = await import("f");', message, 1, 17],
    ['f(import.meta.url)', message, 1, 3],
    ['export const a = 1;', message, 1, 1],
    ['export default 1;', message, 1, 1],
    ['export * from "f";', message, 1, 1],
    ['function f() { return () => import("f") }', message, 1, 29],
    ['import type { A } from "a";', message, 1, 1],
    ['const a: A = 1; import f from "f";', message, 1, 17],
    ['let a: import("a").A;', message, 1, 8],
    ['import f = require("f");', message, 1, 1],
    ['export = 1;', message, 1, 1],
    ['export interface A {}', message, 1, 1],
    ['f();\nnamespace A { f(); }', 'A program declares no namespaces and no modules', 2, 1],
    ['namespace A.B { f(); }', 'A program declares no namespaces and no modules', 1, 1],
    ['module A { f(); }', 'A program declares no namespaces and no modules', 1, 1],
    ['declare module "m" { }', 'A program declares no namespaces and no modules', 1, 9],
    ['declare global { }', 'A program declares no namespaces and no modules', 1, 1],
  ])('readProgram refuses the forbidden %s', (source, expected, line, column) => {
    const fault = faultOf(source);
    expect(fault).toMatchObject({ kind: 'refused', name: 'ProgramRefused', message: expected, line, column });
    expect(fault.hint).toMatch(/\.$/);
  });

  test.each([
    'a.import',
    '({ import: 1, export() {} })',
    'f({ import: 1 as number })',
    '// import x from "x"',
    '"import x"',
  ])('a program is not refused for %s', (source) => {
    expect(readProgram(source, parsers).ok).toBe(true);
  });
});

describe('syntax faults', () => {
  test.each([
    ['await add({a: 1,', 'The program ends before it is complete', 1, 17, 'Close the "{" of line 1, column 11.'],
    ['if (x) {\n  f(`a ${\n', 'The program ends before it is complete', 3, 1, 'Close the "${" of line 2, column 8.'],
    ['const x: number = 5 +', 'The program ends before it is complete', 1, 22, 'Write the program to its end.'],
    ['f(); /* ', 'The program ends before it is complete', 1, 8, 'Write the program to its end.'],
    ['} evil(); {', 'Unexpected "}"', 1, 1, null],
    ['});\nevil();\n(async () => {', 'Unexpected "}"', 1, 1, null],
    ['f(;', 'Unexpected ";"', 1, 3, null],
    ['const a: string = 1;\nf(;', 'Unexpected ";"', 2, 3, null],
    ['const a = 1;\nconst a = 2;', "Identifier 'a' has already been declared", 2, 7, 'Give one of them another name.'],
    ['const a = "x\ny"', 'Unterminated string constant', 1, 11, 'A text over several lines is written in backquotes.'],
    ['with (a) {}', "'with' in strict mode", 1, 1, null],
    ['x <!-- y', 'A comment begins with //, not with <!-- or -->', 1, 3, null],
    ['x\n--> y', 'Unexpected ">"', 2, 3, null],
    ['#!/usr/bin/env node', "Unexpected character '!'", 1, 2, 'A comment begins with //.'],
    ['@dec class A {}', "Unexpected character '@'", 1, 1, null],
    ['function f() { await g() }', 'Unexpected "g"', 1, 22, 'Make the function around this await async.'],
    ['def f(a):\n  pass', 'Unexpected "f"', 1, 5, 'This is Python; write TypeScript.'],
    ['for x in xs:\n  f(x)', 'Unexpected "x"', 1, 5, 'This is Python; write TypeScript.'],
    ['# a note', 'Unexpected "note"', 1, 5, 'A comment begins with //.'],
    ['const s = f"a"', 'Unexpected "\\""', 1, 12, 'A text with values in it is written `like ${this}`.'],
    ['{ a: 1, b: 2 }', 'Unexpected ":"', 1, 10, 'An object at the end is read as a block; write return { … }.'],
    ['\n```ts\nx\n```', 'The program begins with a Markdown fence', 2, 1, 'Send the code without the fence around it.'],
    [
      '('.repeat(50_000),
      'The program is nested too deeply to be read',
      1,
      1,
      'Write it flatter, with variables and functions.',
    ],
  ])('readProgram reports the syntax fault of %j', (source, message, line, column, hint) => {
    expect(faultOf(source)).toMatchObject({ kind: 'syntax', name: 'SyntaxError', message, line, column, hint });
  });

  test('SBX-05 the snippet is the line, cut around the place where it is long', () => {
    expect(faultOf('f();\n    g(;\n').snippet).toBe('g(;');
    const long = faultOf(`f('${'a'.repeat(500)}');g(;h('${'b'.repeat(500)}')`);
    expect(long.snippet).toMatch(/^…a+'\);g\(;h\('b+…$/);
    expect(long.snippet?.length).toBeLessThanOrEqual(122);
  });
});

test('a text that is not a complete program never becomes a body', () => {
  const piece = fc.constantFrom(
    '}',
    '{',
    ')',
    '(',
    ';',
    '\n',
    '`',
    '${',
    '/*',
    '*/',
    '//',
    '<!--',
    '-->',
    'x',
    '"',
    "'",
    '/',
    'return',
    'async () => {',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const outcome = readProgram(pieces.join(''), parsers);
      if (!outcome.ok) return;
      // What an engine makes of it: a strict script whose function ends where the body does.
      const whole = `async () => { "use strict";\n${outcome.read.body}\n}`;
      const parsed = acorn.parseExpressionAt(whole, 0, { ecmaVersion: 'latest', sourceType: 'script' });
      expect(parsed.end).toBe(whole.length);
      expect(outcome.read.body.split('\n')).toHaveLength(pieces.join('').split('\n').length);
    }),
    { numRuns: 2_000 },
  );
});
