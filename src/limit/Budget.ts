import { DEFAULT_EXPANSIONS } from '../common/limits.js';
import { createPlacedError, type ToolwrightError } from '../error/ToolwrightError.js';
import type { Deadline } from './Deadline.js';

/** The limits of a budget; at least one is required, each greater than zero. */
export interface BudgetLimits {
  /**
   * Input and output tokens together. Sections that are estimated to exceed this limit, or the one on input tokens, are not
   * opened.
   */
  readonly maxTotalTokens?: number | undefined;
  readonly maxInputTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly deadline?: Deadline | undefined;
  readonly maxToolCalls?: number | undefined;
  /** How often the model may open summarised sections; 8 by default. */
  readonly maxExpansions?: number | undefined;
  /** Total number of sections that the model may open. */
  readonly maxOpenedSections?: number | undefined;
}

/**
 * Limits on the resources of a run. A limit may be reached, but not exceeded (docs/contract.md, 10).
 *
 * @example
 * await app.evaluate(prompt, { adapter, budget: new Budget({ maxTotalTokens: 50_000, maxToolCalls: 40 }) });
 */
export class Budget implements BudgetLimits {
  readonly maxTotalTokens: number | undefined;
  readonly maxInputTokens: number | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly deadline: Deadline | undefined;
  readonly maxToolCalls: number | undefined;
  readonly maxExpansions: number;
  readonly maxOpenedSections: number | undefined;

  /** @throws ToolwrightError E706 without any limit, or with a limit that is not a positive integer */
  constructor(limits: BudgetLimits) {
    const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
    if (given.length === 0) throw createBudgetError('expected at least one limit, got none');
    for (const [name, limit] of given) {
      if (name !== 'deadline' && !(Number.isInteger(limit) && (limit as number) > 0)) {
        throw createBudgetError(`${name} is ${String(limit)}; a limit is a whole number greater than zero`);
      }
    }
    this.maxTotalTokens = limits.maxTotalTokens;
    this.maxInputTokens = limits.maxInputTokens;
    this.maxOutputTokens = limits.maxOutputTokens;
    this.deadline = limits.deadline;
    this.maxToolCalls = limits.maxToolCalls;
    this.maxExpansions = limits.maxExpansions ?? DEFAULT_EXPANSIONS;
    this.maxOpenedSections = limits.maxOpenedSections;
    Object.freeze(this);
  }
}

function createBudgetError(problem: string): ToolwrightError {
  return createPlacedError(problem, { code: 'E706', place: 'Budget' });
}
