import { MAX_SHOWN_COUNT } from '../../common/limits.js';

/** A part of a pattern that cannot be matched in linear time, and the advice for replacing it. */
export interface PatternProblem {
  /** The construct with its text, as it continues "the pattern has …". */
  readonly has: string;
  /** The advice, as a sentence. */
  readonly instead: string;
}

const REPEAT_LESS = 'Use + or * in place of high numbers, and do not nest repetitions.';

/** Formats a count; nested repetitions can multiply it by a thousand each. */
function formatCount(count: number): string {
  const shown = Math.min(count, MAX_SHOWN_COUNT).toLocaleString('en-US');
  return count > MAX_SHOWN_COUNT ? `more than ${shown}` : shown;
}

/** JavaScript constructs that the linear engine does not support (decision 48). */
export const unsupported = {
  lookahead: (part: string): PatternProblem => ({
    has: `the lookahead ${part}`,
    instead: 'Remove it and match the text that it checks, or place it right after a ^ at the beginning.',
  }),
  lookbehind: (part: string): PatternProblem => ({
    has: `the lookbehind ${part}`,
    instead: 'Remove it and match the text before as part of the pattern.',
  }),
  reference: (part: string): PatternProblem => ({
    has: `the back reference ${part}`,
    instead: 'Write the alternatives out, or match without it and compare the two parts afterwards.',
  }),
  modifiers: (part: string): PatternProblem => ({
    has: `the modifiers ${part}`,
    instead: 'Write both cases as [aA].',
  }),
  octal: (part: string): PatternProblem => ({
    has: `the octal escape ${part}`,
    instead: 'Write the character as \\x41 or \\u0041.',
  }),
  sets: (): PatternProblem => ({
    has: 'the flag v',
    instead: 'Use the flag u, and write a class without operations on sets.',
  }),
  property: (part: string): PatternProblem => ({
    has: `the property ${part}`,
    instead: 'Use a category such as \\p{L} or \\p{Lu}, a script such as \\p{Script=Greek}, or a class of characters.',
  }),
  length: (most: number): PatternProblem => ({
    has: `more than ${String(most)} characters`,
    instead: 'Make it shorter, or look for a part of it.',
  }),
  repetition: (part: string): PatternProblem => ({
    has: `the repetition ${part}, above 1,000 times`,
    instead: 'Use + or *, or bound the length in another way.',
  }),
  properties: (count: number, most: number): PatternProblem => ({
    has: `${String(count)} classes by property such as \\p{L}, above ${String(most)}`,
    instead: 'Match one class with + or *, or use classes of characters.',
  }),
  size: (count: number, most: number): PatternProblem => ({
    has: `${formatCount(count)} parts once its repetitions are written out, above ${most.toLocaleString('en-US')}`,
    instead: REPEAT_LESS,
  }),
  nesting: (): PatternProblem => ({
    has: 'repetitions within repetitions, of more than 1,000 times in all',
    instead: REPEAT_LESS,
  }),
} as const;
