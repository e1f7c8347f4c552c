import type ts from 'typescript';
import type { CompilerDiagnostic, CheckedProgram } from './CheckedProgram.js';
import { canAcceptAnything, literalsOf } from './canAcceptAnything.js';

/** A rule for diagnostics of the compiler that are not mistakes of a program. */
export interface Suppression {
  /** Codes of the compiler; all by default. */
  readonly codes?: readonly number[];
  /** The accepted diagnostic, and the reason: a row of docs/tool-chaining.md. */
  readonly what: string;
  readonly applies: (diagnostic: CompilerDiagnostic, program: CheckedProgram) => boolean;
}

const POSSIBLY_NOTHING = [2531, 2532, 2533, 18047, 18048, 18049];
const NOT_ASSIGNABLE = [2322, 2345, 2739, 2740, 2741, 2769];

/** A value that cannot be an index, in `list[index]` and in `{ [index]: value }`. */
export const INDEX_CODES = [2538, 2464];

const NOWHERE = /'never(?:\[\])?'|to (?:parameter of )?type '(?:null|undefined)'/;

/** Complaints of the compiler about code that runs as intended. */
export const suppressions: readonly Suppression[] = [
  {
    what: 'An undeclared name in a type, which is removed before the program runs, or after `typeof`.',
    codes: [2304, 2503, 2552, 2580, 2582, 2583, 2584, 2591, 2592, 2593, 2694, 2749],
    applies: ({ node }, { compiler }) => compiler.isPartOfTypeNode(node) || compiler.isTypeOfExpression(node.parent),
  },
  {
    what: 'A value where `never` or `null` is expected: the compiler infers these for `[]`, `null` and variables that only a callback assigns.',
    applies: ({ reasons }) => reasons.some((reason) => NOWHERE.test(reason)),
  },
  {
    what: 'A value of unknown type, such as a value of an object that is filled key by key.',
    applies: ({ reasons }) => reasons.some((reason) => reason.includes("'unknown'")),
  },
  {
    what: 'A property that the program adds to its own object.',
    codes: [2339, 2551],
    applies: ({ node }, program) => isOwnProperty(node, program),
  },
  {
    what: 'A property of another value assigned to the same variable.',
    codes: [2339, 2551],
    applies: ({ node }, program) => isPropertyOfLaterValue(node, program),
  },
  {
    what: 'Another kind of object, or no value, in a variable, object or list that the program created without a type.',
    codes: NOT_ASSIGNABLE,
    applies: ({ node }, program) => canAcceptAnything(node, program),
  },
  {
    what: 'A variable that a function assigns: the compiler assumes that the function never runs.',
    codes: [...POSSIBLY_NOTHING, 2367],
    applies: ({ node }, program) => isAssignedElsewhere(node, program),
  },
  {
    what: 'An entry of a Map after a call of `set` or `has` with the same key.',
    codes: POSSIBLY_NOTHING,
    applies: ({ node }, program) => isKnownEntry(node, program),
  },
  {
    what: 'A property of items in a list that was filtered by this property.',
    codes: [...POSSIBLY_NOTHING, 2322, 2345],
    applies: ({ node }, program) => isFiltered(node, program),
  },
  {
    what: 'Subtracted dates, counted booleans, and numbers from a list of mixed values.',
    codes: [2362, 2363, 2365],
    applies: ({ node }, program) => isCountable(node, program),
  },
  {
    what: 'A `string` or `number` where only certain values are allowed, unless the program shows that it is another value: `let unit = …`.',
    codes: NOT_ASSIGNABLE,
    applies: isPlainText,
  },
  {
    what: 'An index that becomes a text as intended: a list, a date, a boolean, a missing value.',
    codes: INDEX_CODES,
    applies: ({ node }, program) => !isWholeObject(node, program),
  },
  {
    what: 'Fewer or more arguments than a function of the program declares, if its parameters are untyped.',
    codes: [2554, 2555],
    applies: isLooseCall,
  },
  {
    what: 'A list of calls for `parallel` that was built elsewhere.',
    codes: [2345, 2769],
    applies: ({ node }, program) => isParallelList(node, program),
  },
  {
    what: 'A property that a type of the program does not declare.',
    codes: [2353],
    applies: ({ node }, program) => program.toolCallAround(node) === undefined,
  },
];

function isOwnProperty(node: ts.Node, program: CheckedProgram): boolean {
  const { compiler, checker } = program;
  if (!compiler.isPropertyAccessExpression(node.parent)) return false;
  const type = checker.getTypeAtLocation(node.parent.expression);
  if (!program.isOwnType(type)) return false;
  const isEmpty = type.getProperties().length === 0 && compiler.isIdentifier(node.parent.expression);
  return isEmpty || program.assignsProperty(node.getText());
}

function isPropertyOfLaterValue(node: ts.Node, program: CheckedProgram): boolean {
  const { compiler, checker } = program;
  const access = node.parent;
  if (!compiler.isPropertyAccessExpression(access) || !compiler.isIdentifier(access.expression)) return false;
  return program.assignedTo(program.symbolOf(access.expression)).some((value) => {
    const type = checker.getTypeAtLocation(value);
    return type.getProperty(node.getText()) !== undefined;
  });
}

function isAssignedElsewhere(node: ts.Node, program: CheckedProgram): boolean {
  const { compiler } = program;
  const operand = compiler.isBinaryExpression(node) ? node.left : node;
  const root = program.rootOf(operand);
  if (root === undefined) return false;
  const here = program.functionAround(root);
  return program.assignedTo(program.symbolOf(root)).some((value) => program.functionAround(value) !== here);
}

function isKnownEntry(node: ts.Node, program: CheckedProgram): boolean {
  const { compiler, checker } = program;
  const variable = compiler.isIdentifier(node) ? program.variableOf(node)?.initializer : undefined;
  const read = variable ?? node;
  if (!compiler.isCallExpression(read) || !compiler.isPropertyAccessExpression(read.expression)) return false;
  const { expression: map, name } = read.expression;
  if (name.text !== 'get' || !checker.getTypeAtLocation(map).getSymbol()?.name.endsWith('Map')) return false;
  const key = read.arguments[0]?.getText();
  const before = program.file.text.slice(0, read.getStart());
  return ['has', 'set'].some((method) => before.includes(`${map.getText()}.${method}(${key ?? ''}`));
}

/** Recognises `list.filter((x) => x.p !== null)` followed by `x.p` of one of its items, or an item of `.map((x) => x.p)`. */
function isFiltered(node: ts.Node, program: CheckedProgram): boolean {
  const { compiler } = program;
  const value = compiler.isPropertyAssignment(node.parent) ? node.parent.initializer : node;
  const list = listOf(program.rootOf(value), program);
  const calls = list === undefined ? [] : findCalls(list, program);
  const property = compiler.isPropertyAccessExpression(value)
    ? value
    : argumentOf('map', calls, program).map(bodyOf).at(0);
  if (property === undefined || !compiler.isPropertyAccessExpression(property)) return false;
  const tests = argumentOf('filter', calls, program);
  return tests.some((test) => test.getText().includes(`.${property.name.text}`));

  function bodyOf(callback: ts.Expression): ts.Node {
    return compiler.isArrowFunction(callback) ? callback.body : callback;
  }
}

/** Returns the first arguments of the calls of a method. */
function argumentOf(
  method: string,
  calls: readonly ts.CallExpression[],
  { compiler }: CheckedProgram,
): readonly ts.Expression[] {
  return calls.flatMap(({ expression, arguments: [first] }) => {
    const isMethod = compiler.isPropertyAccessExpression(expression) && expression.name.text === method;
    return isMethod && first !== undefined ? [first] : [];
  });
}

/** Returns the list that a variable iterates over: `for (const x of list)`, `list.map((x) => …)`, `list.reduce((sum, x) => …)`. */
function listOf(item: ts.Identifier | undefined, program: CheckedProgram): ts.Expression | undefined {
  const { compiler } = program;
  const declaration = item === undefined ? undefined : program.symbolOf(item)?.valueDeclaration;
  if (declaration === undefined) return undefined;
  const loop = declaration.parent.parent;
  if (compiler.isForOfStatement(loop) && compiler.isVariableDeclaration(declaration))
    return findOrigin(loop.expression, program);
  const call = declaration.parent.parent;
  if (!compiler.isParameter(declaration) || !compiler.isCallExpression(call)) return undefined;
  return compiler.isPropertyAccessExpression(call.expression)
    ? findOrigin(call.expression.expression, program)
    : undefined;
}

function findOrigin(expression: ts.Expression, program: CheckedProgram): ts.Expression {
  const initial = program.compiler.isIdentifier(expression) ? program.variableOf(expression)?.initializer : undefined;
  return initial ?? expression;
}

/** Returns the calls of a chain such as `a.filter(…).map(…)`. */
function findCalls(expression: ts.Expression, { compiler }: CheckedProgram): readonly ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  let next: ts.Expression = expression;
  while (compiler.isCallExpression(next) || compiler.isPropertyAccessExpression(next)) {
    if (compiler.isCallExpression(next)) calls.push(next);
    next = next.expression;
  }
  return calls;
}

function isCountable(node: ts.Node, { compiler, checker }: CheckedProgram): boolean {
  const { TypeFlags } = compiler;
  const operands = compiler.isBinaryExpression(node) ? [node.left, node.right] : [node];
  const isSum = compiler.isBinaryExpression(node);
  return operands.every((operand) => {
    const type = checker.getTypeAtLocation(operand);
    if (type.getSymbol()?.name === 'Date') return !isSum;
    const parts = type.isUnion() ? type.types : [type];
    const isBoolean = parts.every(({ flags }) => (flags & TypeFlags.BooleanLike) !== 0);
    const hasNumber = parts.some(({ flags }) => (flags & (TypeFlags.NumberLike | TypeFlags.Any)) !== 0);
    const hasNothing = parts.some(({ flags }) => (flags & (TypeFlags.Null | TypeFlags.Undefined)) !== 0);
    return isBoolean || (hasNumber && !hasNothing);
  });
}

const PLAIN =
  /^(?:Type|Argument of type) '(?:string|number)' is not assignable to (?:parameter of )?type '(?<texts>.+)'\.$/;

function isPlainText({ reasons, node }: CompilerDiagnostic, program: CheckedProgram): boolean {
  const { texts } = PLAIN.exec(reasons.at(-1) ?? '')?.groups ?? {};
  if (texts === undefined || !/^(?:(?:"[^"]*"|-?[\d.]+|null|undefined)(?: \| |$))+$/.test(texts)) return false;
  const { compiler } = program;
  const value = compiler.isPropertyAssignment(node.parent) ? node.parent.initializer : node;
  const known = compiler.isExpression(value) ? literalsOf(value, program) : undefined;
  return known === undefined || known.every((literal) => texts.split(' | ').includes(literal));
}

/** True for an expression that gives a promise, or a plain object without a text form of its own. */
function isWholeObject(node: ts.Node, program: CheckedProgram): boolean {
  const { compiler, checker } = program;
  const index = compiler.isComputedPropertyName(node) ? node.expression : node;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(index));
  const members = type.isUnion() ? type.types : [type];
  return members.every((member) => {
    if ((member.flags & compiler.TypeFlags.Object) === 0) return false;
    if (program.isPromise(member)) return true;
    const names = member.getProperties().map((each) => each.name);
    // Lists, dates and classes with a text form declare it.
    return !names.includes('toString') && member.getCallSignatures().length === 0;
  });
}

function isLooseCall(diagnostic: CompilerDiagnostic, program: CheckedProgram): boolean {
  const { compiler, checker } = program;
  const call = program.callAt(diagnostic);
  const declaration = call === undefined ? undefined : checker.getResolvedSignature(call)?.declaration;
  if (call === undefined || declaration === undefined || !program.isOwn(declaration)) return false;
  const missing = declaration.parameters.slice(call.arguments.length);
  return missing.every((parameter) => compiler.isParameter(parameter) && parameter.type === undefined);
}

function isParallelList(node: ts.Node, program: CheckedProgram): boolean {
  const { compiler, checker } = program;
  const call = program.around(node, compiler.isCallExpression);
  if (call?.expression.getText() !== 'parallel') return false;
  return call.arguments.some((argument) => {
    const list = compiler.isSpreadElement(argument) ? argument.expression : argument;
    const items = checker.getIndexTypeOfType(checker.getTypeAtLocation(list), compiler.IndexKind.Number);
    const kinds = items?.isUnion() === true ? items.types : [items];
    return kinds.every((kind) => kind !== undefined && checker.isArrayType(kind) && !checker.isTupleType(kind));
  });
}
