import { MOST_STATES, type StepBudget } from './StepBudget.js';
import type { CodePoints } from './codePoints.js';
import type { Fragment, Step } from './Step.js';
import type { Guards } from './guards.js';

/** The steps that may follow a position; the list is shared by all positions that it follows. */
export interface Link {
  readonly steps: readonly Step[];
  readonly guards: Guards;
  readonly ways: number;
}

/** Glushkov's automaton under construction: every position of a character in the pattern, and its followers. */
export class Positions {
  readonly budget: StepBudget;
  readonly sets: CodePoints[] = [];
  readonly links: Link[][] = [];

  constructor(budget: StepBudget) {
    this.budget = budget;
  }

  /** Adds a position for one character of the set. */
  add(set: CodePoints): Fragment {
    // Exceeding the limit of states costs the whole budget.
    this.budget.spend(this.sets.length < MOST_STATES ? 1 : Infinity);
    const steps = [{ position: this.sets.length, guards: 0, ways: 1 }];
    this.sets.push(set);
    this.links.push([]);
    return { empties: new Map(), first: steps, last: steps };
  }

  /** Links the last steps of one part to the first steps that may follow them. */
  connect(last: readonly Step[], first: readonly Step[]): void {
    if (first.length === 0 || !this.budget.spend(last.length)) return;
    for (const { position, guards, ways } of last) this.links[position]?.push({ steps: first, guards, ways });
  }
}
