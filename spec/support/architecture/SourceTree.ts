import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

/** One import, re-export, `require` or `import()` of a file; type-only ones count as well. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** The imported file relative to `src/`, for a relative specifier; it begins with `../` when it lies outside. */
  readonly target: string | undefined;
}

/** The files of `src/`, parsed: path relative to `src/` (with `/`) → syntax tree. */
export type SourceTree = ReadonlyMap<string, ts.SourceFile>;

/** A rule: gives one line for each place that breaks it. */
export type Rule = (tree: SourceTree) => string[];

/** Parses files given as path → text. */
export function sourceTree(files: Readonly<Record<string, string>>): SourceTree {
  return new Map(
    Object.entries(files).map(([path, text]) => [path, ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)]),
  );
}

/** Reads and parses every TypeScript file under a folder. */
export function readTree(folder: string): SourceTree {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return sourceTree(
    Object.fromEntries(
      paths.map((path) => [relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8')] as const),
    ),
  );
}

/** Everything that a file imports, in the order in which it stands there. */
export function importsOf(file: ts.SourceFile): Import[] {
  const imports: Import[] = [];
  visit(file, (node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined) return;
    imports.push({ specifier, line: lineOf(node), target: targetOf(file.fileName, specifier) });
  });
  return imports;
}

/** Calls `look` for the node and everything below it. */
export function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => {
    visit(child, look);
  });
}

/** The number of the line on which the node begins, comments apart. */
export function lineOf(node: ts.Node): number {
  const file = node.getSourceFile();
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

/** `src/common/text.ts:12`, as every finding begins. */
export function place(node: ts.Node): string {
  return `src/${node.getSourceFile().fileName}:${String(lineOf(node))}`;
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isExternalModuleReference(node)) return textOf(node.expression);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal);
  if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) return node.name.text;
  return ts.isCallExpression(node) && isLoader(node.expression) ? textOf(node.arguments[0]) : undefined;
}

/** `import(…)`, `require(…)`, `require.resolve(…)`. */
function isLoader(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  const name = ts.isPropertyAccessExpression(callee) ? callee.expression : callee;
  return ts.isIdentifier(name) && name.text === 'require';
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function targetOf(importer: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return posix.normalize(posix.join(posix.dirname(importer), specifier)).replace(/\.js$/, '.ts');
}
