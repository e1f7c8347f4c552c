import { MOST_STATES, type Budget } from './Budget.js';
import type { CodePoints } from './codePoints.js';
import type { Fragment, Step } from './Step.js';
import type { Guards } from './guards.js';

/** That a position is followed by every step of a list; the list is shared by all that it follows. */
export interface Link {
  readonly steps: readonly Step[];
  readonly guards: Guards;
  readonly ways: number;
}

/** Glushkov's automaton in the making: every place of a character in the pattern, and what may come after it. */
export class Positions {
  readonly budget: Budget;
  readonly sets: CodePoints[] = [];
  readonly links: Link[][] = [];

  constructor(budget: Budget) {
    this.budget = budget;
  }

  /** A new position for one character of the set. */
  add(set: CodePoints): Fragment {
    // More states than are looked at cost the whole budget.
    this.budget.spend(this.sets.length < MOST_STATES ? 1 : Infinity);
    const steps = [{ position: this.sets.length, guards: 0, ways: 1 }];
    this.sets.push(set);
    this.links.push([]);
    return { empties: new Map(), first: steps, last: steps };
  }

  /** Says that the first steps may come after the last ones. */
  connect(last: readonly Step[], first: readonly Step[]): void {
    if (first.length === 0 || !this.budget.spend(last.length)) return;
    for (const { position, guards, ways } of last) this.links[position]?.push({ steps: first, guards, ways });
  }
}
