import { line, type TerminalText } from '../terminal/TerminalText.js';

/** A line with those that belong to it. */
export interface TraceNode {
  readonly text: TerminalText;
  readonly children: TraceNode[];
}

/** Draws trees, one line for each node. */
export function drawTrees(nodes: readonly TraceNode[], prefix = '', isRoot = true): readonly TerminalText[] {
  return nodes.flatMap(({ text, children }, index) => {
    const isLast = index === nodes.length - 1;
    const [branch, below] = isRoot ? ['', ''] : isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
    return [line`${prefix}${branch}${text}`, ...drawTrees(children, `${prefix}${below}`, false)];
  });
}
