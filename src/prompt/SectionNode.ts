import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { RenderedTool } from './RenderedTool.js';
import type { SectionText } from './SectionText.js';
import { isThenable } from '../common/classes.js';
import type { Awaitable } from '../common/types.js';

/** The gap between the parts of a prompt. */
export const GAP = '\n\n';

/** A section with its instances, as rendering visits it. Created once, with the application. */
export interface SectionNode {
  readonly metadata: SectionMetadata;
  /** The instance of the section class, on which hooks run. */
  readonly instance: object;
  /** The heading line and the gap below it. */
  readonly heading: string;
  /** Null if the section has no template. */
  readonly body: SectionText | null;
  readonly summary: SectionText | null;
  /** The rendered examples of its tools, which follow the body; empty if there are none. */
  readonly examples: string;
  readonly tools: readonly RenderedTool[];
  readonly children: readonly SectionNode[];
}

/** Visits the nodes one after the other. Waits only for visits that return a promise. */
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
