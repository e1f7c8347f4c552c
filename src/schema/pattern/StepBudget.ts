/** Most states of one loop that are examined; a pattern with a larger loop counts as too complex to judge. */
export const MOST_STATES = 2_000;

/** Most steps for judging one pattern, some tens of milliseconds; beyond, it counts as too complex as well. */
const MOST_STEPS = 250_000;

/** The steps left for one pattern. A function that finds the budget spent returns early, with a partial result. */
export class StepBudget {
  #steps = MOST_STEPS;

  get spent(): boolean {
    return this.#steps < 0;
  }

  /** Takes the steps from the budget; returns false if too few were left. */
  spend(steps: number): boolean {
    this.#steps -= steps;
    return !this.spent;
  }
}
