import { atLeast, type OptionForms, requireOptions } from 'toolwright/internal';
import type { ScoredRun, Scorer } from '../Eval.js';

/** The limits of `withinBudget`. A limit may be reached. */
export interface EvalBudget {
  readonly maxTotalTokens?: number | undefined;
  readonly maxInputTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly maxToolCalls?: number | undefined;
  /** Requests to the model. */
  readonly maxTurns?: number | undefined;
  /** In the currency of `prices` of the application. */
  readonly maxCost?: number | undefined;
  readonly maxMs?: number | undefined;
}

const limit = atLeast(0);
const optionForms: OptionForms<EvalBudget> = {
  maxTotalTokens: limit,
  maxInputTokens: limit,
  maxOutputTokens: limit,
  maxToolCalls: limit,
  maxTurns: limit,
  maxCost: limit,
  maxMs: limit,
};

/** The figure of a run for each limit, with its unit. */
const figures: Readonly<Record<keyof EvalBudget, (run: ScoredRun) => readonly [number | undefined, string]>> = {
  maxTotalTokens: ({ usage }) => [usage?.totalTokens ?? sumTokens(usage), 'tokens'],
  maxInputTokens: ({ usage }) => [usage?.inputTokens, 'input tokens'],
  maxOutputTokens: ({ usage }) => [usage?.outputTokens, 'output tokens'],
  maxToolCalls: ({ calls }) => [calls.length, 'calls'],
  maxTurns: ({ turns }) => [turns, 'requests'],
  maxCost: ({ cost }) => [cost, 'cost'],
  maxMs: ({ durationMs }) => [durationMs, 'ms'],
};

/**
 * Scores whether a run kept within limits. A figure that the provider did not report has not been kept: the reason says so.
 *
 * @throws PromptError E413 for a wrong option
 */
export function withinBudget(budget: EvalBudget): Scorer {
  requireOptions('withinBudget', budget, optionForms);
  const limits = Object.entries(budget) as (readonly [keyof EvalBudget, number | undefined])[];
  return (run) => {
    const exceeded = limits.flatMap(([name, most]) => {
      if (most === undefined) return [];
      const [figure, unit] = figures[name](run);
      if (figure === undefined) return [`${name}: the run did not report it`];
      return figure > most ? [`${name}: ${String(figure)} ${unit}, at most ${String(most)} expected`] : [];
    });
    return exceeded.length === 0 ? { pass: true } : { pass: false, reason: exceeded.join('\n') };
  };
}

function sumTokens(usage: ScoredRun['usage']): number | undefined {
  const { inputTokens, outputTokens } = usage ?? {};
  return inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
}
