import type ts from 'typescript';
import type { CheckedProgram } from './CheckedProgram.js';

/** Methods that add their arguments to their receiver. */
const ADDING = new Set(['push', 'unshift', 'splice', 'set', 'add', 'fill', 'concat']);

/** Returns true if a diagnostic is about a value for a variable or collection that the program declares without a type. */
export function canAcceptAnything(node: ts.Node, program: CheckedProgram): boolean {
  const { compiler, checker } = program;
  const value = findWholeValue(node, program);
  const user = value.parent;
  if (compiler.isCallExpression(user)) {
    return (
      value !== user.expression &&
      compiler.isPropertyAccessExpression(user.expression) &&
      isAdding(user.expression, program)
    );
  }
  if (!compiler.isBinaryExpression(user) || !isOpenVariable(user.left, program)) return false;
  return canTakeValue(checker.getTypeAtLocation(user.left), checker.getTypeAtLocation(user.right), program);
}

/** Returns the outermost literal that contains an expression, or the expression itself: `[a, { b: c }]` for `c`. */
function findWholeValue(node: ts.Node, { compiler }: CheckedProgram): ts.Node {
  const parts = [
    compiler.isPropertyAssignment,
    compiler.isShorthandPropertyAssignment,
    compiler.isObjectLiteralExpression,
    compiler.isArrayLiteralExpression,
    compiler.isParenthesizedExpression,
  ];
  let whole = node;
  while (parts.some((is) => is(whole.parent))) whole = whole.parent;
  return whole;
}

function isAdding({ expression, name }: ts.PropertyAccessExpression, program: CheckedProgram): boolean {
  return ADDING.has(name.text) && isOpenVariable(expression, program);
}

/** Returns true for a variable of the program whose type is inferred from its first value. */
function isOpenVariable(node: ts.Node, program: CheckedProgram): boolean {
  const { compiler } = program;
  const variable = program.variableOf(node);
  if (variable === undefined || variable.type !== undefined) return false;
  const { initializer } = variable;
  if (initializer === undefined) return true;
  if (compiler.isAsExpression(initializer)) return false;
  return !compiler.isNewExpression(initializer) || initializer.typeArguments === undefined;
}

/**
 * Returns true if a variable may take a value of a type other than its first: any object for an object, and null or undefined for
 * anything; a string for a number is a mistake.
 */
function canTakeValue(place: ts.Type, value: ts.Type, { compiler, checker }: CheckedProgram): boolean {
  const { TypeFlags } = compiler;
  const nothing = TypeFlags.Null | TypeFlags.Undefined;
  if ((place.flags & nothing) !== 0) return true;
  const some = checker.getNonNullableType(value);
  if (checker.isTypeAssignableTo(some, checker.getBaseTypeOfLiteralType(place))) return true;
  const primitive = TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BooleanLike | TypeFlags.BigIntLike;
  const holdsPrimitive = (type: ts.Type): boolean =>
    type.isUnion() ? type.types.some(holdsPrimitive) : (type.flags & primitive) !== 0;
  return !holdsPrimitive(checker.getNonNullableType(place)) && !holdsPrimitive(some);
}

/** Returns the possible values of an expression, as source of literals; undefined if they cannot be determined. */
export function literalsOf(expression: ts.Expression, program: CheckedProgram): readonly string[] | undefined {
  const { compiler } = program;
  if (compiler.isStringLiteralLike(expression)) return [JSON.stringify(expression.text)];
  if (compiler.isNumericLiteral(expression)) return [expression.text];
  if (compiler.isParenthesizedExpression(expression)) return literalsOf(expression.expression, program);
  if (compiler.isConditionalExpression(expression)) return allOf([expression.whenTrue, expression.whenFalse], program);
  if (compiler.isArrayLiteralExpression(expression)) return allOf(expression.elements, program);
  if (!compiler.isIdentifier(expression)) return undefined;
  const symbol = program.symbolOf(expression);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined || !compiler.isVariableDeclaration(declaration)) return undefined;
  const loop = declaration.parent.parent;
  const first = compiler.isForOfStatement(loop) ? loop.expression : declaration.initializer;
  return allOf([...(first === undefined ? [] : [first]), ...program.assignedTo(symbol)], program);
}

function allOf(expressions: readonly ts.Expression[], program: CheckedProgram): readonly string[] | undefined {
  const found: string[] = [];
  for (const expression of expressions) {
    const literals = literalsOf(expression, program);
    if (literals === undefined) return undefined;
    found.push(...literals);
  }
  return found;
}
