import type ts from 'typescript';
import { MAX_PROMISE_LEVELS } from '../../limits.js';
import type { CheckedProgram } from './CheckedProgram.js';

/** A mistake that the compiler does not report. */
interface Discovery {
  readonly node: ts.Node;
  readonly kind: 'type' | 'reference';
  readonly name: string;
  readonly message: string;
  readonly hint: string;
}

/** Looks for one kind of mistake in a node of a program. */
export interface Finder {
  /** A row of docs/tool-chaining.md. */
  readonly what: string;
  readonly find: (node: ts.Node, program: CheckedProgram) => Discovery | undefined;
}

/** Globals that the compiler's library declares but programs do not have. */
const ABSENT = new Set(['Intl', 'SharedArrayBuffer', 'Atomics', 'Temporal', 'eval', 'Function']);

const TESTS = new Set(['filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'some', 'every']);

/** Calls that print or inspect a value. */
const SHOWING = /^(?:console\.\w+|JSON\.stringify|String|Number|Boolean|Object\.(?:keys|values|entries))$/;

/** The finders that run on every node. */
export const discoveryRules: readonly Finder[] = [
  { what: 'A global that programs do not have.', find: findAbsentGlobal },
  {
    what: 'A call of a tool, or of a function that calls tools, is not awaited: it is cancelled at the end.',
    find: findFloatingPromise,
  },
  {
    what: 'A promise is printed, or put into a text or into the value of the program, instead of its result.',
    find: findShownPromise,
  },
  {
    what: 'An async function is given to forEach, filter, find, some or every, which do not wait for it.',
    find: findAsyncCallback,
  },
  {
    what: 'A tool gets an object with unknown properties, and refuses the call.',
    find: findUnknownArguments,
  },
];

function findAbsentGlobal(node: ts.Node, { compiler, checker, file }: CheckedProgram): Discovery | undefined {
  if (!compiler.isIdentifier(node) || !ABSENT.has(node.text) || compiler.isPartOfTypeNode(node)) return undefined;
  const { parent } = node;
  const isName = compiler.isPropertyAccessExpression(parent) && parent.name === node;
  if (isName || compiler.isTypeOfExpression(parent) || compiler.isPropertyAssignment(parent)) return undefined;
  const declaration = checker.getSymbolAtLocation(node)?.declarations?.[0];
  if (declaration === undefined || declaration.getSourceFile() === file) return undefined;
  const hint = node.text === 'Intl' ? 'Format by hand, e.g. value.toFixed(2).' : 'Do without it.';
  return { node, kind: 'reference', name: 'ReferenceError', message: `${node.text} is not there in programs`, hint };
}

function findFloatingPromise(node: ts.Node, program: CheckedProgram): Discovery | undefined {
  const { compiler, checker } = program;
  const call = findDroppedCall(node, program);
  if (call === undefined || !program.isPromise(checker.getTypeAtLocation(call))) return undefined;
  const { expression } = call;
  const isHandled = compiler.isPropertyAccessExpression(expression) && expression.name.text === 'catch';
  if (isHandled) return undefined;
  const what = expression.getText();
  const message = `Nothing waits for ${what.length > 40 ? 'this call' : what}`;
  return { node: call, kind: 'type', name: 'await', message, hint: 'Write await before the call.' };
}

/** Returns a call if its value is discarded, or assigned to a variable that is never read. */
function findDroppedCall(node: ts.Node, program: CheckedProgram): ts.CallExpression | undefined {
  const { compiler } = program;
  let value: ts.Expression | undefined;
  if (compiler.isExpressionStatement(node) && !isLast(node, program)) value = node.expression;
  if (compiler.isVariableDeclaration(node) && compiler.isIdentifier(node.name) && !isRead(node.name, program))
    value = node.initializer;
  return value !== undefined && compiler.isCallExpression(value) ? value : undefined;
}

function isRead(name: ts.Identifier, program: CheckedProgram): boolean {
  const symbol = program.symbolOf(name);
  return program.nodes.some(
    (node) =>
      node !== name &&
      program.compiler.isIdentifier(node) &&
      node.text === name.text &&
      program.symbolOf(node) === symbol,
  );
}

/** Returns true for the last statement, which sets the program's value and is awaited. */
function isLast(node: ts.Node, { main, compiler }: CheckedProgram): boolean {
  const statements = main.body?.statements ?? [];
  const last = statements
    .filter((each) => !compiler.isFunctionDeclaration(each) && !compiler.isEmptyStatement(each))
    .at(-1);
  return last === node;
}

function findShownPromise(node: ts.Node, program: CheckedProgram): Discovery | undefined {
  const { checker } = program;
  const promised = findShownValues(node, program).find((value) => program.isPromise(checker.getTypeAtLocation(value)));
  const listed = [...findShownValues(node, program), ...valuesOf(node, program)].find((value) =>
    hasPromises(checker.getTypeAtLocation(value), program),
  );
  const shown = promised ?? listed;
  if (shown === undefined) return undefined;
  const isList = promised === undefined;
  return {
    node: shown,
    kind: 'type',
    name: 'await',
    message: isList ? 'The value holds promises, not what they give' : 'This is a promise, not what it gives',
    hint: isList
      ? 'Write await before each call, or await Promise.all(…) around the list.'
      : 'Write await before the call.',
  };
}

/** Returns the values that a node prints or inspects. */
function findShownValues(node: ts.Node, program: CheckedProgram): readonly ts.Expression[] {
  const { compiler } = program;
  if (compiler.isTemplateSpan(node)) return [node.expression];
  if (compiler.isPrefixUnaryExpression(node))
    return node.operator === compiler.SyntaxKind.ExclamationToken ? [node.operand] : [];
  if (compiler.isBinaryExpression(node)) return node.operatorToken.getText() === '+' ? [node.left, node.right] : [];
  if (compiler.isCallExpression(node)) {
    const { expression } = node;
    if (compiler.isPropertyAccessExpression(expression) && expression.name.text === 'join')
      return [expression.expression];
    return SHOWING.test(expression.getText()) ? node.arguments : [];
  }
  return valuesOf(node, program).flatMap((value) => partsOf(value, compiler));
}

/** Returns the value of the program, if the statement sets it. */
function valuesOf(node: ts.Node, program: CheckedProgram): readonly ts.Expression[] {
  const { compiler, main } = program;
  const isValue = compiler.isReturnStatement(node) ? isIn(node, main, compiler) : isLast(node, program);
  const value = compiler.isReturnStatement(node) || compiler.isExpressionStatement(node) ? node.expression : undefined;
  return isValue && value !== undefined ? [value] : [];
}

/** Returns the parts of a literal: the value of a program is awaited, but its parts are not. */
function partsOf(value: ts.Expression, compiler: CheckedProgram['compiler']): readonly ts.Expression[] {
  if (compiler.isParenthesizedExpression(value)) return partsOf(value.expression, compiler);
  if (compiler.isArrayLiteralExpression(value)) return value.elements;
  if (!compiler.isObjectLiteralExpression(value)) return [];
  return value.properties.flatMap((each) => {
    if (compiler.isPropertyAssignment(each)) return [each.initializer];
    return compiler.isShorthandPropertyAssignment(each) ? [each.name] : [];
  });
}

function isIn(node: ts.Node, main: ts.Node, compiler: CheckedProgram['compiler']): boolean {
  for (let next = node.parent; ; next = next.parent) {
    if (next === main) return true;
    if (compiler.isFunctionLike(next)) return false;
  }
}

/** Returns true for a list of promises, or an object of the program that contains a promise. */
function hasPromises(type: ts.Type, program: CheckedProgram, depth = 0): boolean {
  const { checker, compiler } = program;
  const isList = checker.isArrayType(type) || checker.isTupleType(type);
  const items = isList ? checker.getIndexTypeOfType(type, compiler.IndexKind.Number) : undefined;
  const properties = !isList && program.isOwnType(type) ? type.getProperties() : [];
  const parts = items === undefined ? properties.map((each) => checker.getTypeOfSymbol(each)) : [items];
  return parts.some(
    (part) => program.isPromise(part) || (depth < MAX_PROMISE_LEVELS && hasPromises(part, program, depth + 1)),
  );
}

function findAsyncCallback(node: ts.Node, program: CheckedProgram): Discovery | undefined {
  const { compiler, checker } = program;
  if (!compiler.isCallExpression(node) || !compiler.isPropertyAccessExpression(node.expression)) return undefined;
  const { name, expression } = node.expression;
  const [callback] = node.arguments;
  if (callback === undefined || !(TESTS.has(name.text) || name.text === 'forEach')) return undefined;
  if (!checker.isArrayType(checker.getTypeAtLocation(expression))) return undefined;
  const [signature] = checker.getTypeAtLocation(callback).getCallSignatures();
  if (signature === undefined || !program.isPromise(signature.getReturnType())) return undefined;
  const hint =
    name.text === 'forEach'
      ? 'Write for (const item of list) { await … }, or await Promise.all(list.map(…)).'
      : 'Call the tools first, with await Promise.all(list.map(…)), and then look at their results.';
  return {
    node: callback,
    kind: 'type',
    name: 'await',
    message: `${name.text} does not wait for an async function`,
    hint,
  };
}

function findUnknownArguments(node: ts.Node, program: CheckedProgram): Discovery | undefined {
  const { compiler, checker } = program;
  if (!compiler.isCallExpression(node) || node.arguments.length !== 1) return undefined;
  const [argument] = node.arguments;
  const parameter = checker.getResolvedSignature(node)?.declaration?.parameters[0];
  if (argument === undefined || parameter === undefined || !program.isToolCall(node)) return undefined;
  const wanted = checker.getTypeAtLocation(parameter);
  const given = checker.getTypeAtLocation(argument);
  if (isOpen(wanted) || (given.flags & compiler.TypeFlags.Object) === 0 || checker.isArrayType(given)) return undefined;
  const known = new Set(
    checker
      .getNonNullableType(wanted)
      .getProperties()
      .map((each) => each.name),
  );
  const unknown = given.getProperties().find((each) => !known.has(each.name));
  if (unknown === undefined || known.size === 0) return undefined;
  return {
    node: argument,
    kind: 'type',
    name: 'TS2353',
    message: `${node.expression.getText()} takes no argument ${unknown.name}`,
    hint: `There are: ${[...known].join(', ')}.`,
  };
}

function isOpen(type: ts.Type): boolean {
  return type.getStringIndexType() !== undefined;
}
