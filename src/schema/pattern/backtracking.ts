import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';
import { isExponential } from './ambiguity.js';
import { StepBudget } from './StepBudget.js';
import { FragmentReader, isLoop } from './FragmentReader.js';
import { Positions } from './Positions.js';
import { statesOf } from './states.js';

/** Deepest nesting of groups and classes that is read; the parser's recursion would overflow at some thousand. */
export const MOST_NESTING = 200;

/**
 * The source of the innermost part of the pattern that can make matching exponential: a loop that reads one text in two
 * ways, such as `(a+)+`. The whole source if the pattern is too complex to judge (`MOST_STATES`, `MOST_STEPS`, `MOST_NESTING`).
 * `undefined` for all other patterns (docs/contract.md, 2; ARG-23).
 *
 * - Only exponential growth is refused: `^\d+\d+\d+$` takes cubic time in the length of the text, and is accepted.
 * - It is not examined whether anything after the loop can fail, without which nothing is tried twice.
 * - A quantifier up to 16 is not a loop by itself, so `(?:a+){16}` is accepted; one with a higher maximum counts as unbounded.
 * - Lookarounds are judged by themselves, and assumed to hold at their place; back references are read as their groups.
 */
export function exponentialPart(pattern: RegExp): string | undefined {
  const parsed = parse(pattern);
  if (parsed === undefined) return pattern.source;
  const budget = new StepBudget();
  for (const loop of loopsOf(parsed)) {
    const positions = new Positions(budget);
    new FragmentReader(positions, pattern.flags).read(loop);
    // Each loop is judged alone: running one after another takes polynomial time at most.
    if (!budget.spent && isExponential(statesOf(positions), budget)) return loop.raw;
    if (budget.spent) return pattern.source;
  }
  return undefined;
}

function parse({ source, flags }: RegExp): AST.Pattern | undefined {
  if (nestingOf(source, flags) > MOST_NESTING) return undefined;
  try {
    return new RegExpParser().parsePattern(source, 0, source.length, {
      unicode: flags.includes('u'),
      unicodeSets: flags.includes('v'),
    });
  } catch {
    // The engine accepted it, so its syntax is newer than the parser.
    return undefined;
  }
}

function nestingOf(source: string, flags: string): number {
  // Classes nest only under the flag v; without it, brackets and parentheses in a class are characters.
  const brackets = flags.includes('v') ? /\\.|[()[\]]/gs : /\\.|\[(?:\\.|[^\]\\])*\]|[()]/gs;
  let depth = 0;
  let deepest = 0;
  for (const [token] of source.matchAll(brackets)) {
    if (token === '(' || token === '[') deepest = Math.max(deepest, ++depth);
    else if (token === ')' || token === ']') depth--;
  }
  return deepest;
}

/** The loops of a pattern, inner ones before those around them, those in lookarounds included. */
function loopsOf(pattern: AST.Pattern): readonly AST.Quantifier[] {
  const loops: AST.Quantifier[] = [];
  visitRegExpAST(pattern, {
    onQuantifierLeave: (quantifier) => {
      if (isLoop(quantifier)) loops.push(quantifier);
    },
  });
  return loops;
}
