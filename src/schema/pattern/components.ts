import type { States } from './states.js';

/**
 * The number of the strongly connected component of each state; within one, every state reaches every other one
 * (Tarjan's algorithm).
 */
export function componentsOf({ edges }: States): readonly number[] {
  const component: number[] = edges.map(() => -1);
  const order: number[] = edges.map(() => -1);
  const stack: number[] = [];
  let visited = 0;
  let components = 0;

  /** Visits a state; returns the earliest state that can be reached, by the order of visits. */
  function visit(state: number): number {
    const own = visited++;
    let earliest = own;
    order[state] = own;
    stack.push(state);
    for (const { to } of edges[state] ?? []) {
      if (order[to] === -1) earliest = Math.min(earliest, visit(to));
      else if (component[to] === -1) earliest = Math.min(earliest, order[to] ?? earliest);
    }
    if (earliest === own) {
      for (const member of stack.splice(stack.lastIndexOf(state))) component[member] = components;
      components++;
    }
    return earliest;
  }

  edges.forEach((_, state) => {
    if (order[state] === -1) visit(state);
  });
  return component;
}
