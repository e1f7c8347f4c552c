import { isObject } from '../common/guards.js';
import { describeValue, messageOf } from '../common/text.js';
import type { CompletionChecker, CompletionVerdict, FinalAnswer } from '../interface/CompletionChecker.js';
import type { RunScope } from '../interface/RunScope.js';

/** The text for the model when a checker failed; without details, since only the host can fix it. */
const UNCHECKED = 'It could not be checked whether the task is complete. Make sure that it is.';

/**
 * Asks one checker. If it throws, or returns something other than a verdict, logs that and refuses with a neutral text: an
 * unchecked answer is not complete.
 */
export async function askChecker(
  checker: CompletionChecker,
  answer: FinalAnswer,
  scope: RunScope,
): Promise<CompletionVerdict> {
  try {
    const verdict: unknown = await checker.check(answer, scope);
    if (isVerdict(verdict)) return verdict;
    return refuseUnchecked(checker, scope, `it returned ${describeValue(verdict)} in place of a verdict`);
  } catch (error) {
    return refuseUnchecked(checker, scope, messageOf(error), error);
  }
}

/** Refuses in place of a checker that failed, and logs the reason. */
export function refuseUnchecked(
  { name }: CompletionChecker,
  { logger }: RunScope,
  problem: string,
  error?: unknown,
): CompletionVerdict {
  logger.warn(`Completion checker ${name} failed: ${problem}`, { error });
  return { complete: false, feedback: UNCHECKED };
}

function isVerdict(value: unknown): value is CompletionVerdict {
  if (!isObject(value)) return false;
  const { complete, feedback } = value as { readonly complete?: unknown; readonly feedback?: unknown };
  return complete === true || (complete === false && typeof feedback === 'string' && feedback.trim() !== '');
}
