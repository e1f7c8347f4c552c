import { brand, hasBrand } from '../common/brand.js';
import { ToolwrightError } from './ToolwrightError.js';

/** What of a budget can run out. */
export type BudgetDimension =
  'deadline' | 'input_tokens' | 'output_tokens' | 'total_tokens' | 'tool_calls' | 'expansions' | 'opened_sections';

/** A budget is spent; the loop wraps it as a `PromptEvaluationError` with phase `budget` (docs/contract.md, 10). */
export class BudgetExceededError extends ToolwrightError {
  readonly dimension: BudgetDimension;

  /** @param problem which limit, and by how much, as a sentence */
  constructor(dimension: BudgetDimension, problem: string) {
    super(problem, { code: 'E704' });
    this.dimension = dimension;
  }

  static override is(this: void, value: unknown): value is BudgetExceededError {
    return hasBrand(value, 'BudgetExceededError');
  }
}
brand(BudgetExceededError, 'BudgetExceededError');
