import { withinTime } from '../common/withinTime.js';
import type { ParamIssue } from '../error/toolErrors.js';

/** Milliseconds for a check that runs code of others, which may match patterns by backtracking. */
const MOST_MS = 40;
/** With so few characters, a pattern that doubles its steps with each of them still ends within milliseconds. */
const SHORT = 16;
const SHORT_IN_ALL = 1_000;

/** The issue of a value whose check was ended. */
export const tooSlow: ParamIssue = Object.freeze({
  kind: 'constraint',
  path: '',
  message: `could not be checked in ${String(MOST_MS)} ms: a pattern or another rule takes too long for it. Shorten its texts, or send less at once`,
});

/**
 * Checks a value with code of others, such as rules of another library, which is ended after 40 milliseconds. Short texts need
 * no such limit, and a limit costs more than most checks.
 *
 * @param value nested no deeper than arguments may be
 * @returns undefined if the time was over
 * @throws what `check` throws
 */
export function checkedInTime<T>(value: unknown, check: () => T): T | undefined {
  return hasShortTexts(value) ? check() : withinTime(MOST_MS, check)?.value;
}

/** True if the texts of a value are so short that no pattern takes long. */
function hasShortTexts(value: unknown): boolean {
  let left = SHORT_IN_ALL;
  const isShort = (part: unknown): boolean => {
    if (typeof part === 'string') return part.length <= SHORT && (left -= part.length) >= 0;
    if (typeof part !== 'object' || part === null) return true;
    return Object.entries(part).every(([key, inner]) => isShort(key) && isShort(inner));
  };
  return isShort(value);
}
