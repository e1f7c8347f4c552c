import type { Node, Program } from 'acorn';
import { isObject } from 'toolwright/internal/light';
import type { ProgramFault } from '../ExecutionResult.js';
import { createFault, findPlace, type ProgramPlace } from '../createFault.js';
import { MAX_SYNTAX_LEVELS } from '../limits.js';

/** Properties that hold the earlier links of a chain of methods. The parser reads links one after the other, not nested. */
const CHAINED = new Set(['callee', 'object']);

/** Returns the place where a program is nested too deeply; undefined if it is not. */
export function findTooDeep(program: Program, text: string): ProgramPlace | undefined {
  const open: { readonly value: unknown; readonly level: number }[] = [{ value: program, level: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, level } = next;
    if (!isObject(value)) continue;
    const isNode = typeof (value as Partial<Node>).type === 'string';
    if (isNode && level > MAX_SYNTAX_LEVELS) return findPlace(text, (value as Node).start);
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
    message: `The program has more than ${String(MAX_SYNTAX_LEVELS)} levels of syntax within each other; each operator of a chain is one`,
    hint: 'Write it shorter and flatter: no long chains of operators, no deep nesting. Join a list instead of adding many texts.',
    code: 'E665',
  });
}
