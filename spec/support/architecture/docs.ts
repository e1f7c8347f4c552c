import { posix } from 'node:path';
import ts from 'typescript';
import { place, type Rule, type SourceTree } from './SourceTree';

/** The declarations of an exported name, or the finding that there are none. */
type Found = readonly ts.Node[] | string;

/** Every declaration that users can reach through one of the entries (paths without `.ts`) has a doc comment. */
export function everythingPublicIsDocumented(entries: readonly string[]): Rule {
  return (tree) => {
    const findings = entries.flatMap((entry) => {
      const file = tree.get(`${entry}.ts`);
      if (file === undefined) return [`src/${entry}.ts is missing`];
      return exportedNames(file).flatMap((name) => findingFor(tree, file, name));
    });
    return [...new Set(findings)];
  };
}

function findingFor(tree: SourceTree, entry: ts.SourceFile, name: string): string[] {
  const found = declarationsOf(tree, entry, name);
  if (typeof found === 'string') return [found];
  const [first] = found;
  return first === undefined || found.some(hasDocComment)
    ? []
    : [`${place(first)} is exported as ${name} without a doc comment`];
}

/** The declarations behind every name that an entry (a path without `.ts`) exports. */
export function publicDeclarations(tree: SourceTree, entry: string): readonly ts.Node[] {
  const file = tree.get(`${entry}.ts`);
  if (file === undefined) throw new Error(`src/${entry}.ts is missing`);
  return exportedNames(file).flatMap((name) => {
    const found = declarationsOf(tree, file, name);
    if (typeof found === 'string') throw new Error(found);
    return found;
  });
}

/** Follows re-exports and imports until it finds what declares the name. */
function declarationsOf(tree: SourceTree, file: ts.SourceFile, name: string): Found {
  const declared = file.statements.flatMap((statement) => declaredBy(statement, name));
  if (declared.length > 0) return declared;
  for (const { from, source, exposed } of file.statements.flatMap(namesBroughtIn)) {
    if (exposed !== name) continue;
    if (from === undefined && source !== name) return declarationsOf(tree, file, source);
    if (from === undefined) continue;
    // Declared by another package, whose entries are looked at as well.
    if (!from.startsWith('.')) return [];
    const path = posix.join(posix.dirname(file.fileName), from).replace(/\.js$/, '.ts');
    const next = tree.get(path);
    return next === undefined
      ? `src/${file.fileName} re-exports ${name} from ${from}, which is not there`
      : declarationsOf(tree, next, source);
  }
  return `src/${file.fileName} exports ${name}, which is declared nowhere`;
}

/** The declarations of the name in a statement. */
function declaredBy(statement: ts.Statement, name: string): ts.Node[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.filter((declaration) => declaration.name.getText() === name);
  }
  return isNamedDeclaration(statement) && statement.name?.text === name ? [statement] : [];
}

/** The names that a file exports, except for `export const {…}` patterns. */
function exportedNames(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return namesBroughtIn(statement).map(({ exposed }) => exposed);
    if (!isExported(statement)) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    return isNamedDeclaration(statement) && statement.name !== undefined ? [statement.name.text] : [];
  });
}

/** The names that an import or export clause knows: what it is called there, and what here. */
function namesBroughtIn(statement: ts.Statement): { from: string | undefined; source: string; exposed: string }[] {
  const elements = clauseOf(statement);
  if (elements === undefined) return [];
  const specifier = (statement as ts.ImportDeclaration | ts.ExportDeclaration).moduleSpecifier;
  const from = specifier !== undefined && ts.isStringLiteral(specifier) ? specifier.text : undefined;
  return elements.map(({ name, propertyName }) => ({ from, source: (propertyName ?? name).text, exposed: name.text }));
}

function clauseOf(statement: ts.Statement): readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] | undefined {
  const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
  if (bindings !== undefined && ts.isNamedImports(bindings)) return bindings.elements;
  const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
  return clause !== undefined && ts.isNamedExports(clause) ? clause.elements : undefined;
}

type NamedDeclaration =
  ts.ClassDeclaration | ts.FunctionDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.EnumDeclaration;

function isNamedDeclaration(node: ts.Node): node is NamedDeclaration {
  return (
    ts.isClassDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node)
  );
}

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(isExportKeyword);
}

function isExportKeyword(modifier: ts.Modifier): boolean {
  return modifier.kind === ts.SyntaxKind.ExportKeyword;
}

function hasDocComment(node: ts.Node): boolean {
  return ts
    .getJSDocCommentsAndTags(node)
    .some((doc) => ts.isJSDoc(doc) && ts.getTextOfJSDocComment(doc.comment) !== undefined);
}
