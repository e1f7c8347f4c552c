import ts from 'typescript';
import { nodesIn, place, type Rule, type SourceTree } from './SourceTree';

const BUILT_IN_ERRORS = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'AggregateError',
]);

/** The folder of code that runs in the guest of a sandbox: programs catch the errors of their language there. */
const GUEST = 'src/sandbox/guest/';

/** Whatever is thrown is a class with a code. */
export const noBareErrors: Rule = (tree) =>
  nodesOf(tree, ts.isThrowStatement)
    .filter((node) => isBuiltInError(node.expression) && !place(node).startsWith(GUEST))
    .map((node) => `${place(node)} throws a bare ${node.expression.getText()}`);

/** `export *` hides what is public. */
export const noStarExports: Rule = (tree) =>
  nodesOf(tree, ts.isExportDeclaration)
    .filter(({ exportClause }) => exportClause === undefined || ts.isNamespaceExport(exportClause))
    .map((node) => `${place(node)} has an export *`);

/** Linters load the default export of a plugin. */
const LINT_PLUGIN = 'src/eslint/';

/** A default export has no name of its own. */
export const noDefaultExports: Rule = (tree) =>
  nodesOf(tree, isDefaultExport)
    .filter((node) => !place(node).startsWith(LINT_PLUGIN))
    .map((node) => `${place(node)} has a default export`);

/** The keyword `any` switches the compiler off. */
export const noAny: Rule = (tree) =>
  nodesOf(tree, (node): node is ts.Node => node.kind === ts.SyntaxKind.AnyKeyword).map(
    (node) => `${place(node)} says any`,
  );

/** `...{ a, b }` and `...[a, b]` only please the formatter, and a rest parameter in brackets only hides the names of parameters. */
export const noSpreadLiterals: Rule = (tree) =>
  nodesOf(tree, isSpreadLiteral).map((node) => `${place(node)} spreads a literal`);

function nodesOf<N extends ts.Node>(tree: SourceTree, is: (node: ts.Node) => node is N): N[] {
  return [...tree.values()].flatMap((file) => nodesIn(file).filter(is));
}

function isBuiltInError(thrown: ts.Expression): boolean {
  const isCall = ts.isNewExpression(thrown) || ts.isCallExpression(thrown);
  return isCall && ts.isIdentifier(thrown.expression) && BUILT_IN_ERRORS.has(thrown.expression.text);
}

/** `export default …`, `export = …`, `export { x as default }`, and `default` as a modifier. */
function isDefaultExport(node: ts.Node): node is ts.Node {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === 'default';
  return node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent);
}

function isSpreadLiteral(node: ts.Node): node is ts.Node {
  if (ts.isParameter(node)) return node.dotDotDotToken !== undefined && !ts.isIdentifier(node.name);
  if (!ts.isSpreadElement(node) && !ts.isSpreadAssignment(node)) return false;
  let { expression } = node;
  while (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression)) ({ expression } = expression);
  return ts.isArrayLiteralExpression(expression) || ts.isObjectLiteralExpression(expression);
}
