/** Most states of one loop that are looked at; a pattern with a larger loop counts as too complex to judge. */
export const MOST_STATES = 2_000;

/** Most steps that the judgement of one pattern takes, some tens of milliseconds; beyond, it counts as too complex too. */
const MOST_STEPS = 250_000;

/** The work that is left for one pattern. A function that finds it spent returns early, with what it has. */
export class Budget {
  #steps = MOST_STEPS;

  get spent(): boolean {
    return this.#steps < 0;
  }

  /** Takes the steps; false when there were too few left. */
  spend(steps: number): boolean {
    this.#steps -= steps;
    return !this.spent;
  }
}
