import type { CompilerDiagnostic } from './CompilerDiagnostic.js';
import type { CheckedProgram } from './CheckedProgram.js';
import {
  argumentsFix,
  awaitFix,
  callFix,
  keysFix,
  nameFix,
  nothingFix,
  numberFix,
  propertyFix,
  valueFix,
  type Fix,
} from './fixes.js';

/** A diagnostic of the compiler for which a program is refused. */
export interface RefusingDiagnostic {
  readonly codes: readonly number[];
  /** The consequence at run time: a row of docs/tool-chaining.md. */
  readonly reason: string;
  /** Suggests a one-line fix for the program. */
  readonly fix: Fix;
  /** The fix in general, for the table. */
  readonly generally: string;
}

/** All refusing diagnostics. The others concern only types, which are removed before the program runs. */
export const refusing: readonly RefusingDiagnostic[] = [
  {
    codes: [2304, 2552, 2580, 2582, 2583, 2584, 2591, 2592, 2593, 2693],
    reason: 'Nothing of that name is there: a ReferenceError.',
    fix: nameFix,
    generally: 'the name that was probably meant, or what is there instead',
  },
  {
    codes: [2339, 2550, 2551, 7053],
    reason: 'The value has no such property: it reads as undefined.',
    fix: propertyFix,
    generally: 'the property that was probably meant, or all that there are; await, where it is missing',
  },
  {
    codes: [2531, 2532, 2533, 18047, 18048, 18049, 18050, 2721, 2722, 2723],
    reason: 'The value may be null or undefined: reading a property of it is a TypeError.',
    fix: nothingFix,
    generally: 'a check before, or `?.`',
  },
  {
    codes: [2322, 2345, 2559, 2739, 2740, 2741, 2769, 2820, 2352],
    reason: 'A value of another type is expected: a tool refuses it, and anything else goes on with a wrong value.',
    fix: valueFix,
    generally: 'what is expected, and how what is there becomes that',
  },
  {
    codes: [2353, 2561],
    reason: 'The tool has no such argument, and refuses the call.',
    fix: keysFix,
    generally: 'the arguments that there are',
  },
  {
    codes: [2554, 2555, 2575],
    reason: 'Arguments are missing, or too many.',
    fix: argumentsFix,
    generally: 'how it is called',
  },
  {
    codes: [2348, 2349, 2351, 6234],
    reason: 'What is called is not a function: a TypeError.',
    fix: callFix,
    generally: 'no parentheses after a value; await, where it is missing',
  },
  {
    codes: [2461, 2488, 2489, 2495, 2504, 2548, 2549, 2569],
    reason: 'What is iterated is not a list: a TypeError.',
    fix: awaitFix,
    generally: 'the property that holds the list; await, where it is missing',
  },
  {
    codes: [2356, 2362, 2363, 2365],
    reason: 'It is calculated with what is not a number: NaN, or a text where a sum was meant.',
    fix: numberFix,
    generally: 'Number(…); await, where it is missing',
  },
  {
    codes: [2367, 2678],
    reason: 'The comparison is never true.',
    fix: valueFix,
    generally: 'the values that there are',
  },
  {
    codes: [2801, 2872, 2873],
    reason: 'The condition is always true, or always false: mostly a promise that was not awaited.',
    fix: awaitFix,
    generally: 'await',
  },
  {
    codes: [2448, 2449, 2450, 2588],
    reason: 'A variable is used before it is there, or a constant is changed: an error at that line.',
    fix: () => 'Declare it further up, and with let where it changes.',
    generally: 'let, or the declaration further up',
  },
];

/** The row for a diagnostic; undefined for one that refuses nothing. */
export function refusingRow({ code }: Pick<CompilerDiagnostic, 'code'>): RefusingDiagnostic | undefined {
  return refusing.find(({ codes }) => codes.includes(code));
}

/** False for an unknown key (7053, an implicit any) unless the object is the result of a tool; true for other diagnostics. */
export function isAboutResult({ code, node }: CompilerDiagnostic, program: CheckedProgram): boolean {
  const { compiler, checker } = program;
  if (code !== 7053) return true;
  const access = program.around(node, compiler.isElementAccessExpression);
  if (access === undefined || !compiler.isStringLiteralLike(access.argumentExpression)) return false;
  const type = checker.getTypeAtLocation(access.expression);
  return type.getProperties().length > 0 && !program.isOwnType(type);
}
