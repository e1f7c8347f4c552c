import type { CodePoints } from './codePoints.js';
import { canHold, UNGUARDED } from './guards.js';
import type { Link, Positions } from './Positions.js';

/** A transition to another state, for one character of the set. */
export interface Edge {
  /** Index of its set in {@link States.sets}. */
  readonly set: number;
  readonly to: number;
  /** Number of ways to take it: 1, or 2 for more. */
  readonly ways: number;
}

/** An automaton: its states are numbers. */
export interface States {
  readonly edges: readonly (readonly Edge[])[];
  /** The sets of characters, each once. */
  readonly sets: readonly CodePoints[];
}

/**
 * The automaton of the positions. Positions with the same followers are merged into one state, which does not change the
 * number of ways to read a text; the hundred words of `(?:foo|bar|…)*` then meet in one state between two words.
 */
export function statesOf(positions: Positions): States {
  const sets = new Numbering((set: CodePoints) => set.join(';'));
  const setOf = positions.sets.map((set) => sets.numberOf(set));
  const lists = new Numbering((steps: Link['steps']) => steps);
  const states = new Numbering((position: number) => stateKey(positions, position, setOf, lists));
  const stateOf = positions.sets.map((_, position) => states.numberOf(position));
  return {
    sets: sets.all,
    edges: states.all.map((position) => edgesFrom(positions, position, setOf, stateOf)),
  };
}

/** Numbers distinct things in the order of their first occurrence. */
class Numbering<T> {
  readonly all: T[] = [];
  readonly #numbers = new Map<unknown, number>();
  readonly #keyOf: (thing: T) => unknown;

  constructor(keyOf: (thing: T) => unknown) {
    this.#keyOf = keyOf;
  }

  numberOf(thing: T): number {
    const key = this.#keyOf(thing);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.all.length);
    return this.all.push(thing) - 1;
  }
}

function stateKey(
  { links, budget }: Positions,
  position: number,
  setOf: readonly number[],
  lists: Numbering<Link['steps']>,
): string {
  const own = links[position] ?? [];
  if (!budget.spend(own.length)) return '';
  const key = own.map(({ steps, guards, ways }) => `${lists.numberOf(steps)},${guards},${ways}`).join(';');
  // A guard depends on the character before it, so positions with different characters are not merged.
  const isGuarded = own.some((link) => link.guards !== UNGUARDED || link.steps.some((s) => s.guards !== UNGUARDED));
  return isGuarded ? `${key}@${String(setOf[position])}` : key;
}

function edgesFrom(
  { links, sets, budget }: Positions,
  position: number,
  setOf: readonly number[],
  stateOf: readonly number[],
): readonly Edge[] {
  const edges = new Map<string, Edge>();
  for (const link of links[position] ?? []) {
    if (!budget.spend(link.steps.length)) return [];
    for (const step of link.steps) {
      const [before, after] = [sets[position] ?? [], sets[step.position] ?? []];
      if (after.length === 0 || !canHold(link.guards | step.guards, before, after)) continue;
      const [set, to] = [setOf[step.position] ?? 0, stateOf[step.position] ?? 0];
      const key = `${String(set)}>${String(to)}`;
      const ways = (edges.get(key)?.ways ?? 0) + link.ways * step.ways;
      edges.set(key, { set, to, ways: Math.min(2, ways) });
    }
  }
  return [...edges.values()];
}
