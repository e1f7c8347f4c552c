import { MAX_INDENTED_LEVELS } from '../limits.js';
import { line, type TerminalText } from '../terminal/TerminalText.js';

/** A line with the lines below it. */
export interface TraceNode {
  readonly text: TerminalText;
  readonly children: TraceNode[];
}

/** A line that has not been drawn yet. */
interface Pending {
  readonly node: TraceNode;
  readonly level: number;
  /** The text before this line and its siblings. */
  readonly prefix: string;
  readonly isLast: boolean;
}

export function drawTrees(roots: readonly TraceNode[]): readonly TerminalText[] {
  const lines: TerminalText[] = [];
  const pending: Pending[] = [];
  const push = (nodes: readonly TraceNode[], level: number, prefix: string): void => {
    for (let index = nodes.length - 1; index >= 0; index--)
      pending.push({ node: nodes[index] as TraceNode, level, prefix, isLast: index === nodes.length - 1 });
  };
  push(roots, 0, '');
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, level, prefix, isLast } = next;
    const isDeeper = level > MAX_INDENTED_LEVELS;
    const [branch, below] = level === 0 || isDeeper ? ['', ''] : isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
    const above = isDeeper ? `(level ${String(level)}) ` : '';
    lines.push(line`${prefix}${branch}${above}${node.text}`);
    push(node.children, level + 1, `${prefix}${below}`);
  }
  return lines;
}
