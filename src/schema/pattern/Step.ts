import type { Guards } from './guards.js';

/** A position at an end of a fragment. */
export interface Step {
  readonly position: number;
  /** What must hold between it and the end. */
  readonly guards: Guards;
  /** In how many ways the end is reached without another character: 1, or 2 for more. */
  readonly ways: number;
}

/** A part of the pattern, as its surroundings see it. */
export interface Fragment {
  /** In how many ways it matches nothing at all, by what must hold there. */
  readonly empties: ReadonlyMap<Guards, number>;
  readonly first: readonly Step[];
  readonly last: readonly Step[];
}
