import type { AST } from '@eslint-community/regexpp';

/**
 * True if the group may have matched a text that the reference repeats. A group after the reference, around it, or in
 * another alternative has not: each round of a loop resets the groups within.
 */
export function mayBeSet(group: AST.CapturingGroup, reference: AST.Backreference): boolean {
  // A lookbehind is matched from right to left.
  if (isInLookbehind(reference)) return true;
  const common = outerNodes(group).find((node) => isInside(reference, node));
  return group.end <= reference.start && common?.type === 'Alternative';
}

/** True if a group that may be set always is: nothing on the way to the reference skips it. */
export function isSurelySet(group: AST.CapturingGroup, reference: AST.Backreference): boolean {
  const apart = outerNodes(group).filter((node) => !isInside(reference, node));
  return !isInLookbehind(reference) && !apart.some(mayBeSkipped);
}

function mayBeSkipped(node: AST.Node): boolean {
  if (node.type === 'Quantifier') return node.min === 0;
  if (node.type === 'Assertion' && 'alternatives' in node && node.negate) return true;
  return 'alternatives' in node && node.alternatives.length > 1;
}

function isInLookbehind(node: AST.Node): boolean {
  return outerNodes(node).some((outer) => outer.type === 'Assertion' && outer.kind === 'lookbehind');
}

function isInside(node: AST.Node, outer: AST.Node): boolean {
  return outer.start <= node.start && node.end <= outer.end;
}

/** The enclosing nodes, from the inside out. */
function outerNodes({ parent }: AST.Node): readonly AST.Node[] {
  return parent === null ? [] : [parent, ...outerNodes(parent)];
}
