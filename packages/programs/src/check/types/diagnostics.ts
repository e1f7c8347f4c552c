import type { CompilerDiagnostic, CheckedProgram } from './CheckedProgram.js';
import {
  fixArguments,
  fixAwait,
  fixCall,
  fixIndex,
  fixKeys,
  fixName,
  fixNothing,
  fixNumber,
  fixProperty,
  fixValue,
  type Fix,
} from './fixes.js';
import { INDEX_CODES } from './suppressions.js';

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
    reason: 'The name does not exist: a ReferenceError.',
    fix: fixName,
    generally: 'the most similar name, or a replacement',
  },
  {
    codes: [2339, 2550, 2551, 7053],
    reason: 'The value has no such property: it reads as undefined.',
    fix: fixProperty,
    generally: 'the most similar property, or all properties; a missing await',
  },
  {
    codes: [2531, 2532, 2533, 18047, 18048, 18049, 18050, 2721, 2722, 2723],
    reason: 'The value may be null or undefined: reading a property of it is a TypeError.',
    fix: fixNothing,
    generally: 'a check before it, or `?.`',
  },
  {
    codes: [2322, 2345, 2559, 2739, 2740, 2741, 2769, 2820, 2352],
    reason: 'The value has the wrong type: a tool refuses it, other code continues with a wrong value.',
    fix: fixValue,
    generally: 'the expected type, and how to convert the value',
  },
  {
    codes: [2353, 2561],
    reason: 'The tool has no such argument, and refuses the call.',
    fix: fixKeys,
    generally: 'all arguments of the tool',
  },
  {
    codes: [2554, 2555, 2575],
    reason: 'Arguments are missing, or there are too many.',
    fix: fixArguments,
    generally: 'the signature',
  },
  {
    codes: [2348, 2349, 2351, 6234],
    reason: 'The called value is not a function: a TypeError.',
    fix: fixCall,
    generally: 'no parentheses after a value; a missing await',
  },
  {
    codes: [2461, 2488, 2489, 2495, 2504, 2548, 2549, 2569],
    reason: 'The iterated value is not a list: a TypeError.',
    fix: fixAwait,
    generally: 'the property that holds the list; a missing await',
  },
  {
    codes: [2356, 2362, 2363, 2365],
    reason: 'An operand is not a number: the result is NaN, or a text instead of a sum.',
    fix: fixNumber,
    generally: 'Number(…); a missing await',
  },
  {
    codes: INDEX_CODES,
    reason: 'The index is a whole object: it reads the property "[object Object]", which does not exist.',
    fix: fixIndex,
    generally: 'the property that holds the key; a missing await',
  },
  {
    codes: [2367, 2678],
    reason: 'The comparison is never true.',
    fix: fixValue,
    generally: 'the possible values',
  },
  {
    codes: [2801, 2872, 2873],
    reason: 'The condition is always true or always false, usually because a promise was not awaited.',
    fix: fixAwait,
    generally: 'await',
  },
  {
    codes: [2448, 2449, 2450, 2588],
    reason: 'A variable is used before its declaration, or a constant is changed: an error at that line.',
    fix: () => 'Declare it further up, and with let where it changes.',
    generally: 'let, or an earlier declaration',
  },
];

/** Returns the row for a diagnostic; undefined for one that refuses nothing. */
export function findRefusingRow({ code }: Pick<CompilerDiagnostic, 'code'>): RefusingDiagnostic | undefined {
  return refusing.find(({ codes }) => codes.includes(code));
}

/** Returns false for an unknown key (7053, an implicit any) unless the object is the result of a tool; true for other diagnostics. */
export function isAboutResult({ code, node }: CompilerDiagnostic, program: CheckedProgram): boolean {
  const { compiler, checker } = program;
  if (code !== 7053) return true;
  const access = program.around(node, compiler.isElementAccessExpression);
  if (access === undefined || !compiler.isStringLiteralLike(access.argumentExpression)) return false;
  const type = checker.getTypeAtLocation(access.expression);
  return type.getProperties().length > 0 && !program.isOwnType(type);
}
