import type { BoundPrompt } from 'toolwright';
import { compareReports, type Eval, type EvalComparison, runEval } from '@toolwright/evals';

/** The probability of a difference by chance, below which it counts. */
const maxPValue = 0.05;

/**
 * Compares the overrides of two tags by an eval, and writes those of the candidate over the current ones if they are better.
 *
 * @param define returns the eval of a tag: `promptRun({ …, options: { overridesTag: tag } })`
 * @returns the comparison, and whether the candidate was written
 */
export async function promoteOverrides<I>(
  prompt: BoundPrompt,
  candidate: string,
  define: (tag: string) => Eval<I>,
): Promise<{ readonly comparison: EvalComparison; readonly written: boolean }> {
  const texts = await prompt.overrides.read({ tag: candidate });
  const [before, after] = [await runEval(define('latest')), await runEval(define(candidate))];
  const comparison = compareReports(before, after);
  const { difference, pValue } = comparison.overall;
  const written = texts !== undefined && difference > 0 && pValue < maxPValue;
  // As they were read before the eval: a later draft under the tag was not compared.
  if (written) await prompt.overrides.write(texts, { tag: 'latest' });
  return { comparison, written };
}
