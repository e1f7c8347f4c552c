/** A line with those that belong to it. */
export interface TraceNode {
  readonly text: string;
  readonly children: TraceNode[];
}

/** Draws trees, one line for each node. */
export function drawn(nodes: readonly TraceNode[], prefix = '', isRoot = true): readonly string[] {
  return nodes.flatMap(({ text, children }, index) => {
    const isLast = index === nodes.length - 1;
    const [branch, below] = isRoot ? ['', ''] : isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
    return [`${prefix}${branch}${text}`, ...drawn(children, `${prefix}${below}`, false)];
  });
}
