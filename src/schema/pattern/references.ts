import type { AST } from '@eslint-community/regexpp';

/** True when the node lies within the other. */
export function isInside(node: AST.Node, outer: AST.Node): boolean {
  return outer.start <= node.start && node.end <= outer.end;
}

/**
 * True when the group has matched whenever the reference is met: it stands before it in one sequence, and nothing between
 * the two skips it.
 */
export function isSurelySet(group: AST.CapturingGroup, reference: AST.Backreference): boolean {
  if (group.start > reference.start || isInLookbehind(reference)) return false;
  const around = outerNodes(group);
  const common = around.findIndex((node) => isInside(reference, node));
  // What they have in common is a sequence, or else they stand in different alternatives.
  return around[common]?.type === 'Alternative' && !around.slice(0, common).some(mayBeSkipped);
}

function mayBeSkipped(node: AST.Node): boolean {
  if (node.type === 'Quantifier') return node.min === 0;
  if (node.type === 'Assertion' && 'alternatives' in node && node.negate) return true;
  return 'alternatives' in node && node.alternatives.length > 1;
}

/** A lookbehind is matched from right to left. */
function isInLookbehind(node: AST.Node): boolean {
  return outerNodes(node).some((outer) => outer.type === 'Assertion' && outer.kind === 'lookbehind');
}

function outerNodes({ parent }: AST.Node): readonly AST.Node[] {
  return parent === null ? [] : [parent, ...outerNodes(parent)];
}
