import type { Guards } from './guards.js';

/** A position at an end of a fragment. */
export interface Step {
  readonly position: number;
  /** Assertions that must hold between the position and the end. */
  readonly guards: Guards;
  /** Number of ways to reach the end without another character: 1, or 2 for more. */
  readonly ways: number;
}

/** A part of the pattern, reduced to what its surroundings need. */
export interface Fragment {
  /** Number of ways to match the empty text, by the assertions that must hold there. */
  readonly empties: ReadonlyMap<Guards, number>;
  readonly first: readonly Step[];
  readonly last: readonly Step[];
}
