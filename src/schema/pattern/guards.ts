import type { AST } from '@eslint-community/regexpp';
import { complement, LINE_ENDS, overlaps, WORD, type CodePoints } from './codePoints.js';
import type { Modes } from './modes.js';

/**
 * Assertions that must hold between two characters, as a set of bits. Without them `^(?:[a-z]+(?:,|$))+$`, where the group
 * cannot begin again right after a letter, would look exponential.
 */
export type Guards = number;

/** The number of different values of {@link Guards}. */
export const GUARD_VALUES = 32;

/** No assertion. */
export const UNGUARDED: Guards = 0;

const TEXT_EDGE = 1;
const LINE_START = 2;
const LINE_END = 4;
const WORD_BOUNDARY = 8;
const NO_WORD_BOUNDARY = 16;

const NOT_WORD = complement(WORD);

/** The guards of an assertion. Lookarounds are assumed to hold, which can only refuse too much. */
export function guardsOf(node: AST.Assertion, { multiline }: Modes): Guards {
  switch (node.kind) {
    case 'start':
      return multiline ? LINE_START : TEXT_EDGE;
    case 'end':
      return multiline ? LINE_END : TEXT_EDGE;
    case 'word':
      return node.negate ? NO_WORD_BOUNDARY : WORD_BOUNDARY;
    case 'lookahead':
    case 'lookbehind':
      return UNGUARDED;
  }
}

/** False if the guards cannot hold between any character of the one set and any of the other. */
export function canHold(guards: Guards, before: CodePoints, after: CodePoints): boolean {
  if (guards === UNGUARDED) return true;
  if ((guards & TEXT_EDGE) !== 0) return false;
  if ((guards & LINE_START) !== 0 && !overlaps(before, LINE_ENDS)) return false;
  if ((guards & LINE_END) !== 0 && !overlaps(after, LINE_ENDS)) return false;
  const [wordBefore, otherBefore] = [overlaps(before, WORD), overlaps(before, NOT_WORD)];
  const [wordAfter, otherAfter] = [overlaps(after, WORD), overlaps(after, NOT_WORD)];
  if ((guards & WORD_BOUNDARY) !== 0 && !(wordBefore && otherAfter) && !(otherBefore && wordAfter)) return false;
  return (guards & NO_WORD_BOUNDARY) === 0 || (wordBefore && wordAfter) || (otherBefore && otherAfter);
}
