import { Budget, BudgetTracker, Deadline } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { unknownWord } from '../ConformanceFault';
import type { Json, Outcome } from '../format';
import { errorOutcome } from './errorOutcome';
import { usageOf } from './usageOf';

/** Makes a budget, records what was used, moves the clock, and checks. */
export async function runBudget({ budget, ops }: Json): Promise<Outcome> {
  const clock = new FakeClock();
  try {
    const tracker = new BudgetTracker(budgetOf(budget as Json, clock));
    return { ops: (ops as readonly Json[]).map((op) => step(op, tracker, clock)) };
  } catch (error) {
    return { error: errorOutcome(error, 'construct') };
  }
}

/** A budget as cases write it. */
export function budgetOf(spec: Json, clock: FakeClock): Budget {
  const {
    deadline_seconds: seconds,
    max_total_tokens,
    max_input_tokens,
    max_output_tokens,
    ...rest
  } = spec as Readonly<Record<string, number | undefined>>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw unknownWord('budget', unknown);
  return new Budget({
    maxTotalTokens: max_total_tokens,
    maxInputTokens: max_input_tokens,
    maxOutputTokens: max_output_tokens,
    deadline: seconds === undefined ? undefined : Deadline.in(seconds * 1_000, clock),
  });
}

function step(op: Json, tracker: BudgetTracker, clock: FakeClock): Outcome {
  if ('record' in op) {
    tracker.record(String(op['record']), usageOf(op['usage'] as Json));
    return { ok: true };
  }
  if ('advance' in op) {
    clock.advance(Number(op['advance']) * 1_000);
    return { ok: true };
  }
  if (!('check' in op)) throw unknownWord('budget op', Object.keys(op)[0]);
  try {
    tracker.check();
    return { ok: true, consumed: tracker.consumed };
  } catch (error) {
    return { error: errorOutcome(error) };
  }
}
