import { LIMIT_WORDS, type BudgetTracker, type LimitState } from '../limit/BudgetTracker.js';
import type { Deadline } from '../limit/Deadline.js';

/** The model is notified of a limit when no more than this share of it is left. */
const SHARE_LEFT = 0.2;

export interface WrapUpLimits {
  readonly budget: BudgetTracker | undefined;
  readonly deadline: Deadline | undefined;
  readonly requests: { readonly used: number; readonly limit: number };
}

/**
 * Returns the note for the model before a limit stops the run, which it gets once; undefined while no limit is near
 * (docs/contract.md, 10 and 16).
 */
export function describeWrapUp({ budget, deadline, requests }: WrapUpLimits): string | undefined {
  const scarce = [
    ...(isScarce(requests) || requests.limit - requests.used === 1
      ? [`${String(requests.limit - requests.used)} of ${String(requests.limit)} answers`]
      : []),
    ...(deadline === undefined ? [] : getRemainingTime(deadline)),
    ...(budget?.limits ?? []).filter(isScarce).flatMap(describeRemaining),
  ];
  if (scarce.length === 0) return undefined;
  return `[Limits of this run: ${[...new Set(scarce)].join(', ')} left. Finish what matters most and give your final answer now, saying what remains to be done.]`;
}

function getRemainingTime({ at, startedAt, elapsed }: Deadline): readonly string[] {
  const state = { used: elapsed, limit: at - startedAt };
  return isScarce(state) ? [formatSeconds(state)] : [];
}

function describeRemaining({ dimension, ...state }: LimitState): readonly string[] {
  // They may run out without ending the run: requests for sections are then refused.
  if (dimension === 'expansions' || dimension === 'opened_sections') return [];
  if (dimension === 'deadline') return [formatSeconds(state)];
  return [`${String(state.limit - state.used)} of ${String(state.limit)} ${LIMIT_WORDS[dimension]}`];
}

function formatSeconds({ used, limit }: { readonly used: number; readonly limit: number }): string {
  return `${((limit - used) / 1_000).toFixed(1)} of ${(limit / 1_000).toFixed(1)} seconds`;
}

function isScarce({ used, limit }: { readonly used: number; readonly limit: number }): boolean {
  return limit - used <= limit * SHARE_LEFT;
}
