import type { StepBudget } from './StepBudget.js';
import { overlaps } from './codePoints.js';
import { componentsOf } from './components.js';
import type { Edge, States } from './states.js';

/**
 * True if one text leads from a state back to it in two ways: repeated n times, there are 2ⁿ ways to read it. That is the
 * only cause of exponential growth (Weber and Seidl, “On the degree of ambiguity of finite automata”, 1991). False as well
 * if the budget is spent before an answer is found.
 */
export function isExponential(states: States, budget: StepBudget): boolean {
  const edges = edgesOnCycles(states);
  const haveCommon = commonCharacters(states);
  const size = edges.length;
  // A pair of states represents two ways of reading one text. Both start in the same state; every state is tried.
  const pairs = edges.map((_, state) => state * size + state);
  const seen = new Set(pairs);
  for (const pair of pairs) {
    const [one, other] = [Math.floor(pair / size), pair % size];
    for (const [index, left] of (edges[one] ?? []).entries()) {
      // Within one state, two edges are compared in one order only.
      const rights = one === other ? (edges[other] ?? []).slice(index) : (edges[other] ?? []);
      if (!budget.spend(rights.length)) return false;
      for (const right of rights) {
        if (left === right && left.ways === 1) continue;
        if (!haveCommon(left.set, right.set)) continue;
        // Different ways that meet; since all edges are on cycles, they lead back to the start.
        if (left.to === right.to) return true;
        const next = Math.min(left.to, right.to) * size + Math.max(left.to, right.to);
        if (!seen.has(next)) pairs.push(next);
        seen.add(next);
      }
    }
  }
  return false;
}

/** The edges within components. No path that leaves a component leads back. */
function edgesOnCycles(states: States): readonly (readonly Edge[])[] {
  const components = componentsOf(states);
  return states.edges.map((edges, state) => edges.filter(({ to }) => components[to] === components[state]));
}

/** Returns a function that tests if two sets, given by their numbers, overlap; results are cached. */
function commonCharacters({ sets }: States): (one: number, other: number) => boolean {
  const UNKNOWN = 0;
  const YES = 1;
  const NO = 2;
  const known = new Uint8Array(sets.length * sets.length);
  return (one, other) => {
    const key = one * sets.length + other;
    if (known[key] === UNKNOWN) known[key] = overlaps(sets[one] ?? [], sets[other] ?? []) ? YES : NO;
    return known[key] === YES;
  };
}
