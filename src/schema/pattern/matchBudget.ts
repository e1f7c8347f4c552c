/** Ends a check whose matches take longer than `MAX_MATCHES_MS`. */
class BudgetSpent extends RangeError {}

/** The part of the budget that the current check has left; Infinity for a check that is watched. */
let left = Infinity;

/**
 * Takes one match from the budget of the current check.
 *
 * @param part of `MAX_MATCHES_MS` that the match takes
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
  const before = left;
  left = 1;
  try {
    return check();
  } catch (thrown) {
    if (thrown instanceof BudgetSpent) return undefined;
    throw thrown;
  } finally {
    left = before;
  }
}

/** Runs a check that is watched, and restores the budget of the check around it: V8 runs no `finally` in a script that it ends. */
export function runWithoutMatchBudget(check: () => void): void {
  const before = left;
  left = Infinity;
  try {
    check();
  } finally {
    left = before;
  }
}
