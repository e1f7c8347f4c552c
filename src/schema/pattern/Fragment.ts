import { GUARD_VALUES, UNGUARDED, type Guards } from './guards.js';
import type { Positions } from './Positions.js';
import type { Fragment, Step } from './Step.js';

/** The fragment that matches the empty text in one way, where the guards hold. */
export function nothing(guards: Guards = UNGUARDED): Fragment {
  return { empties: new Map([[guards, 1]]), first: [], last: [] };
}

/** The parts one after the other. */
export function sequence(positions: Positions, parts: readonly Fragment[]): Fragment {
  const [start = nothing(), ...others] = parts;
  return others.reduce((before, after) => {
    positions.connect(before.last, after.first);
    return {
      empties: bothEmpty(before.empties, after.empties),
      first: before.first.concat(past(positions, before.empties, after.first)),
      last: after.last.concat(past(positions, after.empties, before.last)),
    };
  }, start);
}

/** One part out of several. */
export function choice(parts: readonly Fragment[]): Fragment {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const empties = new Map<Guards, number>();
  for (const part of parts) for (const [guards, ways] of part.empties) count(empties, guards, ways);
  return {
    empties,
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
  };
}

/** The parts in a row, which may stop before any of them; as in JavaScript, an optional part that is taken is not empty. */
export function optionalParts(positions: Positions, parts: readonly Fragment[]): Fragment {
  parts.forEach((part, index) => {
    const before = parts[index - 1];
    if (before !== undefined) positions.connect(before.last, part.first);
  });
  return { ...nothing(), first: parts[0]?.first ?? [], last: parts.flatMap(({ last }) => last) };
}

/** The part any number of times; as in JavaScript, no repetition is empty. */
export function star(positions: Positions, part: Fragment): Fragment {
  positions.connect(part.last, part.first);
  return { ...nothing(), first: part.first, last: part.last };
}

/**
 * The part once, where it may be empty, and any number of times after that, where it may not: `(?:a?)+` takes an `a` in two
 * ways.
 *
 * @param emptyBetween true if later repetitions may be empty too, as those that `{20,}` demands
 */
export function plus(positions: Positions, part: Fragment, emptyBetween: boolean): Fragment {
  const first = merged([...part.first, ...past(positions, part.empties, part.first)]);
  positions.connect(part.last, emptyBetween ? first : part.first);
  return { empties: part.empties, first, last: part.last };
}

/** The steps, as reached across a fragment that matches the empty text. */
function past(positions: Positions, empties: Fragment['empties'], steps: readonly Step[]): readonly Step[] {
  if (empties.size === 0 || !positions.budget.spend(empties.size * steps.length)) return [];
  return merged(
    [...empties].flatMap(([guards, ways]) =>
      steps.map((step) => ({ ...step, guards: step.guards | guards, ways: step.ways * ways })),
    ),
  );
}

/** Merges equal steps and adds up their ways. */
function merged(steps: readonly Step[]): readonly Step[] {
  const ways = new Map<number, number>();
  for (const step of steps) count(ways, step.position * GUARD_VALUES + step.guards, step.ways);
  return [...ways].map(([key, number]) => ({
    position: Math.floor(key / GUARD_VALUES),
    guards: key % GUARD_VALUES,
    ways: number,
  }));
}

function bothEmpty(one: Fragment['empties'], other: Fragment['empties']): Fragment['empties'] {
  const empties = new Map<Guards, number>();
  for (const [guards, ways] of one) for (const [more, times] of other) count(empties, guards | more, ways * times);
  return empties;
}

/** Counts no further than 2: it only matters that there is more than one way. */
function count(ways: Map<number, number>, key: number, number: number): void {
  ways.set(key, Math.min(2, (ways.get(key) ?? 0) + number));
}
