import ts from 'typescript';
import { lineOf, nodesIn, place, type Rule, type SourceTree } from './SourceTree';

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 60;

const BUILT_IN_ERRORS = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'AggregateError',
]);

/** No file is longer than 300 lines. */
export const shortFiles: Rule = (tree) =>
  [...tree]
    .map(([path, file]) => ({ path, lines: file.text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MAX_FILE_LINES)
    .map(({ path, lines }) => `src/${path} has ${String(lines)} lines`);

/** No function is longer than 60 lines, what it encloses included. */
export const shortFunctions: Rule = (tree) =>
  nodesOf(tree, ts.isFunctionLike)
    .map((node) => ({ node, lines: endLineOf(node) - lineOf(node) + 1 }))
    .filter(({ lines }) => lines > MAX_FUNCTION_LINES)
    .map(({ node, lines }) => `${place(node)} has a function of ${String(lines)} lines`);

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

function nodesOf<N extends ts.Node>(tree: SourceTree, is: (node: ts.Node) => node is N): N[] {
  return [...tree.values()].flatMap((file) => nodesIn(file).filter(is));
}

function endLineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getEnd()).line + 1;
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
