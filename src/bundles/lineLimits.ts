/**
 * The limits of one line of a bundle. The recorder writes no larger ones, and the reader refuses them before they are whole: a
 * line is parsed in one piece, and the values of JSON take many times the memory of their text.
 */
export const MOST_LINE = { chars: 4_000_000, values: 100_000, depth: 100 };
