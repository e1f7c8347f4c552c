import { isThenable } from '../common/classes.js';
import type { Awaitable } from '../common/types.js';
import type { SectionNode } from './SectionNode.js';

/** Visits the nodes one after the other; waits only for visits that return a promise. */
export function visitEach(
  nodes: readonly SectionNode[],
  visit: (node: SectionNode) => Awaitable<void>,
  from = 0,
): Awaitable<void> {
  for (let index = from; index < nodes.length; index++) {
    const visited = visit(nodes[index] as SectionNode);
    if (isThenable(visited)) return visited.then(() => visitEach(nodes, visit, index + 1));
  }
  return undefined;
}
