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

/** Parts of patterns that the linear engine does not support (decision 48), with the advice for each. */
const advice = {
  lookahead: 'Remove it and match the text that it checks, or place it right after a ^ at the beginning.',
  lookbehind: 'Remove it and match the text before as part of the pattern.',
  'back reference': 'Write the alternatives out, or match without it and compare the two parts afterwards.',
  modifiers: 'Write both cases as [aA].',
  'octal escape': 'Write the character as \\x41 or \\u0041.',
  flag: 'Use the flag u, and write a class without operations on sets.',
  property: 'Use a category such as \\p{L} or \\p{Lu}, a script such as \\p{Script=Greek}, or a class of characters.',
  repetition: 'Use + or *, or bound the length in another way.',
} as const;

export type PartName = keyof typeof advice;

export function createPartProblem(name: PartName, part: string): PatternProblem {
  return { has: `the ${name} ${part}`, instead: advice[name] };
}

/** Creates the problems of patterns that are too large. */
export const tooLarge = {
  length: (most: number): PatternProblem => ({
    has: `more than ${String(most)} characters`,
    instead: 'Make it shorter, or look for a part of it.',
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
