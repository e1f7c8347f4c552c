import type { Node, Program } from 'acorn';
import type { ProgramFault } from '../ExecutionResult.js';
import { createFault, findPlace, type ProgramPlace } from '../createFault.js';

/** Maximum depth of nested syntax; each operator of a chain is one level. The time of a type check grows with the square of the depth. */
const MOST_LEVELS = 250;

/** Properties that hold the earlier links of a chain of methods. The parser reads links one after the other, not nested. */
const CHAINED = new Set(['callee', 'object']);

/** Returns the place where a program is nested too deeply; undefined if it is not. */
export function findTooDeep(program: Program, text: string): ProgramPlace | undefined {
  const open: { readonly value: unknown; readonly level: number }[] = [{ value: program, level: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, level } = next;
    if (typeof value !== 'object' || value === null) continue;
    const isNode = typeof (value as Partial<Node>).type === 'string';
    if (isNode && level > MOST_LEVELS) return findPlace(text, (value as Node).start);
    for (const [key, part] of Object.entries(value))
      open.push({ value: part, level: isNode && !CHAINED.has(key) ? level + 1 : level });
  }
  return undefined;
}

/** Creates the fault of a program that is nested too deeply. */
export function createDepthFault(source: string, place: ProgramPlace): ProgramFault {
  return createFault(source, place, {
    kind: 'refused',
    name: 'ProgramRefused',
    message: `The program has more than ${String(MOST_LEVELS)} levels of syntax within each other; each operator of a chain is one`,
    hint: 'Write it shorter and flatter: no long chains of operators, no deep nesting. Join a list instead of adding many texts.',
    code: 'E665',
  });
}
