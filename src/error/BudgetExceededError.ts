import { brand } from '../common/brand.js';
import { ToolwrightError } from './ToolwrightError.js';

/** A limit of a budget that can be exceeded. */
export type BudgetDimension =
  'deadline' | 'input_tokens' | 'output_tokens' | 'total_tokens' | 'tool_calls' | 'expansions' | 'opened_sections';

/** A budget was exceeded. The loop wraps this error in a `PromptEvaluationError` with phase `budget` (docs/contract.md, 10). */
export class BudgetExceededError extends ToolwrightError {
  readonly dimension: BudgetDimension;

  /** @param problem one sentence with the exceeded limit and the amount */
  constructor(dimension: BudgetDimension, problem: string) {
    super(problem, { code: 'E704' });
    this.dimension = dimension;
  }
}
brand(BudgetExceededError, 'BudgetExceededError');
