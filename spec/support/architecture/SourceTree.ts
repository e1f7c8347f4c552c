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

/** The files of `src/`: path relative to `src/` (with `/`) → syntax tree. */
export interface SourceTree extends Iterable<readonly [string, ts.SourceFile]> {
  readonly size: number;
  has(path: string): boolean;
  get(path: string): ts.SourceFile | undefined;
  keys(): Iterable<string>;
  values(): Iterable<ts.SourceFile>;
}

/** A rule: returns one line for each place that breaks it. */
export type Rule = (tree: SourceTree) => string[];

/** Files of which each is read and parsed when it is first looked at: many rules look at few of them. */
class ParsedFiles implements SourceTree {
  readonly #read: ReadonlyMap<string, () => string>;
  readonly #parsed = new Map<string, ts.SourceFile>();

  constructor(read: ReadonlyMap<string, () => string>) {
    this.#read = read;
  }

  get size(): number {
    return this.#read.size;
  }

  has(path: string): boolean {
    return this.#read.has(path);
  }

  get(path: string): ts.SourceFile | undefined {
    const read = this.#read.get(path);
    if (read === undefined) return undefined;
    const file = this.#parsed.get(path) ?? ts.createSourceFile(path, read(), ts.ScriptTarget.ES2022, true);
    this.#parsed.set(path, file);
    return file;
  }

  keys(): Iterable<string> {
    return this.#read.keys();
  }

  values(): Iterable<ts.SourceFile> {
    return [...this].map(([, file]) => file);
  }

  *[Symbol.iterator](): Iterator<readonly [string, ts.SourceFile]> {
    for (const path of this.keys()) yield [path, this.get(path)!];
  }
}

/** The tree of files given as path → text. */
export function sourceTree(files: Readonly<Record<string, string>>): SourceTree {
  return new ParsedFiles(new Map(Object.entries(files).map(([path, text]) => [path, () => text])));
}

/** The tree of every TypeScript file under a folder. */
export function readTree(folder: string): SourceTree {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new ParsedFiles(
    new Map(paths.map((path) => [relative(folder, path).split(sep).join('/'), () => readFileSync(path, 'utf8')])),
  );
}

const nodes = new WeakMap<ts.SourceFile, readonly ts.Node[]>();
const imports = new WeakMap<ts.SourceFile, readonly Import[]>();

/** Every node of a file, outer ones first; walked once for all rules. */
export function nodesIn(file: ts.SourceFile): readonly ts.Node[] {
  return kept(nodes, file, () => {
    const found: ts.Node[] = [];
    visit(file, (node) => found.push(node));
    return found;
  });
}

/** The imports of a file, in their order. */
export function importsOf(file: ts.SourceFile): readonly Import[] {
  return kept(imports, file, () =>
    nodesIn(file).flatMap((node) => {
      const specifier = specifierOf(node);
      return specifier === undefined
        ? []
        : [{ specifier, line: lineOf(node), target: targetOf(file.fileName, specifier) }];
    }),
  );
}

function kept<T>(known: WeakMap<ts.SourceFile, T>, file: ts.SourceFile, make: () => T): T {
  const made = known.get(file) ?? make();
  known.set(file, made);
  return made;
}

/** Calls `look` for the node and everything below it. */
function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => {
    visit(child, look);
  });
}

/** The number of the line on which the node begins, comments apart. */
function lineOf(node: ts.Node): number {
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
