/** Ends a check when its matches take longer than `MAX_MATCHES_MS`. */
class BudgetSpent extends RangeError {}

/** The fraction of the budget that the current check has left; Infinity for a watched check. */
let left = Infinity;

/**
 * Deducts one match from the budget of the current check.
 *
 * @param part the fraction of `MAX_MATCHES_MS` that the match takes
 */
export function spendMatch(part: number): void {
  left -= part;
  if (left < 0) throw new BudgetSpent();
}

/**
 * Runs a check until its matches have taken `MAX_MATCHES_MS`.
 *
 * @returns undefined if the check was ended
 */
export function runWithMatchBudget<T>(check: () => T): T | undefined {
  try {
    return runWithBudget(1, check);
  } catch (thrown) {
    if (thrown instanceof BudgetSpent) return undefined;
    throw thrown;
  }
}

/** Runs a watched check, and restores the budget of the enclosing check: V8 runs no `finally` in a script that it ends. */
export function runWithoutMatchBudget(check: () => void): void {
  runWithBudget(Infinity, check);
}

function runWithBudget<T>(budget: number, check: () => T): T {
  const before = left;
  left = budget;
  try {
    return check();
  } finally {
    left = before;
  }
}
