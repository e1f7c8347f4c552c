import { brand } from '../common/brand.js';
import { BudgetExceededError, type BudgetDimension } from '../error/BudgetExceededError.js';
import type { Usage } from '../value/Usage.js';
import type { Budget } from './Budget.js';

/** Tokens used so far, as reported by providers. */
export interface ConsumedTokens {
  readonly input: number;
  readonly output: number;
  readonly total: number;
}

/** One limit and its usage. */
export interface LimitState {
  readonly dimension: BudgetDimension;
  readonly used: number;
  /** In the unit of `used`: tokens, calls, sections; milliseconds for the deadline. */
  readonly limit: number;
}

interface Spent {
  readonly usage: Map<string, Usage>;
  toolCalls: number;
  expansions: number;
  openedSections: number;
  unreported: number;
}

// Private members would make the class nominal, and so incompatible with the same class of another copy of the package.
const spending = new WeakMap<BudgetTracker, Spent>();

function getSpent(tracker: BudgetTracker): Spent {
  return spending.get(tracker) as Spent;
}

/**
 * Counts the tokens and calls of runs and compares them with their budget. Several evaluations may share a tracker: a nested prompt spends from
 * its caller's budget (docs/contract.md, 10).
 */
export class BudgetTracker {
  readonly budget: Budget;

  constructor(budget: Budget) {
    this.budget = budget;
    spending.set(this, { usage: new Map(), toolCalls: 0, expansions: 0, openedSections: 0, unreported: 0 });
  }

  /**
   * Records the usage of an evaluation's latest answer. It replaces the earlier usage of the same evaluation, since providers
   * count the whole conversation each time.
   *
   * @param usage undefined if the provider did not report it: unknown, not zero
   */
  record(evaluation: string, usage: Usage | undefined): void {
    const spent = getSpent(this);
    if (usage === undefined) spent.unreported++;
    else spent.usage.set(evaluation, usage);
  }

  recordToolCalls(count: number): void {
    getSpent(this).toolCalls += count;
  }

  recordExpansion(sections: number): void {
    const spent = getSpent(this);
    spent.expansions++;
    spent.openedSections += sections;
  }

  get consumed(): ConsumedTokens {
    let input = 0;
    let output = 0;
    let total = 0;
    for (const { inputTokens = 0, outputTokens = 0, totalTokens } of getSpent(this).usage.values()) {
      input += inputTokens;
      output += outputTokens;
      total += totalTokens ?? inputTokens + outputTokens;
    }
    return { input, output, total };
  }

  get toolCalls(): number {
    return getSpent(this).toolCalls;
  }

  /** Number of responses without usage from the provider; if it is not 0, `consumed` is too low. */
  get unreported(): number {
    return getSpent(this).unreported;
  }

  /** Every limit of the budget, in the order in which they are checked. */
  get limits(): readonly LimitState[] {
    const { budget, consumed } = this;
    const { toolCalls, expansions, openedSections } = getSpent(this);
    const { deadline } = budget;
    const states: readonly (Omit<LimitState, 'limit'> & { readonly limit: number | undefined })[] = [
      { dimension: 'deadline', used: deadline?.elapsed ?? 0, limit: deadline && deadline.at - deadline.startedAt },
      { dimension: 'input_tokens', used: consumed.input, limit: budget.maxInputTokens },
      { dimension: 'output_tokens', used: consumed.output, limit: budget.maxOutputTokens },
      { dimension: 'total_tokens', used: consumed.total, limit: budget.maxTotalTokens },
      { dimension: 'tool_calls', used: toolCalls, limit: budget.maxToolCalls },
      { dimension: 'expansions', used: expansions, limit: budget.maxExpansions },
      { dimension: 'opened_sections', used: openedSections, limit: budget.maxOpenedSections },
    ];
    return states.filter((state): state is LimitState => state.limit !== undefined);
  }

  /** @throws BudgetExceededError for the first limit that is exceeded */
  check(): void {
    for (const { dimension, used, limit } of this.limits) {
      // A deadline has passed when it is reached; any other limit may be used up completely.
      if (dimension === 'deadline' ? used < limit : used <= limit) continue;
      throw new BudgetExceededError(
        dimension,
        dimension === 'deadline'
          ? `The budget's deadline passed ${String(used - limit)} ms ago.`
          : `The budget allows ${String(limit)} ${LIMIT_WORDS[dimension]}; ${String(used)} were used.`,
      );
    }
  }
}

brand(BudgetTracker, 'BudgetTracker');

/** Each limit in words. */
export const LIMIT_WORDS: Readonly<Record<Exclude<BudgetDimension, 'deadline'>, string>> = {
  input_tokens: 'input tokens',
  output_tokens: 'output tokens',
  total_tokens: 'tokens',
  tool_calls: 'tool calls',
  expansions: 'openings of summarised sections',
  opened_sections: 'opened sections',
};
