import { isText } from '../../common/guards.js';
import type { Check } from '../../metadata/ClassShape.js';
import type { PatternReader } from '../rules/Rule.js';
import { spendMatch } from './matchBudget.js';

/** The fixed cost of a match, in characters of its text. */
const CHARS_A_MATCH = 20;

/**
 * Makes the checks match their patterns in linear time. Refuses a text that is too long even for that, with a message that says
 * so. Leaves patterns that cannot be compiled, since their class is refused.
 */
export function matchInLinearTime(checks: readonly Check[], read: PatternReader): readonly Check[] {
  return checks.map((check) => {
    const reading = check.pattern === undefined ? undefined : read(check.pattern);
    if (reading === undefined || reading.problem !== undefined) return check;
    const { test, longest } = reading;
    const isTooLong = (value: unknown): value is string => isText(value) && value.length > longest;
    const isBudgeted = longest !== Infinity;
    const matches = (text: string): boolean => {
      if (isBudgeted) spendMatch((text.length + CHARS_A_MATCH) / longest);
      return test(text);
    };
    return {
      ...check,
      isBudgeted,
      test: (value, owner) =>
        check.applies?.(owner) === false || (isText(value) && value.length <= longest && matches(value)),
      message: (value, owner) =>
        isTooLong(value)
          ? `expected at most ${String(longest)} characters, with which its pattern is matched, got ${String(value.length)}`
          : check.message(value, owner),
    };
  });
}
