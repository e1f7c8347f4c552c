// The declarations that users of the package can reach from its entries: all others are internal.
import { posix } from 'node:path';
import ts from 'typescript';

/**
 * Removes declarations that no entry reaches, the imports that only they need, and modules without any other declaration. Those that
 * are reached and cannot be imported from an entry lose their docblocks.
 *
 * @param entries the names of modules that keep everything
 * @param read returns the text of the `.d.ts` of a module
 * @returns the texts of the remaining modules by their names
 */
export function reachableDeclarations(entries, read) {
  const modules = new Map();
  const moduleOf = (name) => {
    if (!modules.has(name)) modules.set(name, parseModule(name, read(name)));
    return modules.get(name);
  };
  /** A module, one of its names, or undefined for all of them, and whether users can import it. */
  const open = entries.map((entry) => [entry, undefined, true]);
  while (open.length > 0) {
    const [name, wanted, isExported] = open.pop();
    const { statements, imports, declared } = moduleOf(name);
    for (const statement of statements) {
      const { names, uses, reaches } = statement;
      if (wanted !== undefined && names !== undefined && !names.includes(wanted)) continue;
      if (statement.isKept && (statement.isExported || !isExported)) continue;
      statement.isKept = true;
      statement.isExported = isExported;
      for (const used of uses) {
        if (declared.has(used)) open.push([name, used, false]);
        const imported = imports.get(used);
        if (imported?.from !== undefined) open.push([imported.from, imported.name, false]);
      }
      for (const [from, each] of reaches) open.push([from, each, isExported && statement.isReexport === true]);
    }
  }
  return new Map([...modules].map(([name, module]) => [name, textOf(module)]));
}

/** Reads the statements of a module, what they declare and use, and the names that it imports. */
function parseModule(name, text) {
  const source = ts.createSourceFile(`${name}.d.ts`, text, ts.ScriptTarget.Latest, true);
  const pathOf = (specifier) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(name), specifier).replace(/\.js$/, '') : undefined;
  const imports = new Map();
  const statements = source.statements.map((node) => {
    if (ts.isImportDeclaration(node)) return readImport(node, pathOf(node.moduleSpecifier.text), imports);
    if (ts.isExportDeclaration(node) && node.moduleSpecifier)
      return readReexport(node, pathOf(node.moduleSpecifier.text));
    return { node, names: declaredBy(node), ...usedBy(node, pathOf) };
  });
  const declared = new Set(statements.flatMap(({ names }) => names ?? []));
  return { statements, imports, declared };
}

function readImport(node, from, imports) {
  const { name, namedBindings: bindings } = node.importClause ?? {};
  const locals = [];
  const add = (local, imported) => {
    imports.set(local, { from, name: imported });
    locals.push(local);
  };
  if (name) add(name.text, 'default');
  if (bindings && ts.isNamespaceImport(bindings)) add(bindings.name.text, undefined);
  if (bindings && ts.isNamedImports(bindings))
    for (const each of bindings.elements) add(each.name.text, (each.propertyName ?? each.name).text);
  // An import without names is there for its effect.
  if (locals.length === 0)
    return { node, names: undefined, uses: [], reaches: from === undefined ? [] : [[from, undefined]] };
  return { node, names: [], uses: [], reaches: [], locals };
}

function readReexport(node, from) {
  const elements = node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : undefined;
  const reaches = (elements ?? [undefined]).map((each) => [from, each && (each.propertyName ?? each.name).text]);
  const names = elements?.map(({ name }) => name.text);
  return { node, names, uses: [], reaches: from === undefined ? [] : reaches, isReexport: true };
}

/** The names that a statement declares or exports; undefined for one that belongs to its module, such as `declare global`. */
function declaredBy(node) {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.text);
  if (ts.isExportAssignment(node)) return ['default'];
  if (ts.isExportDeclaration(node) && node.exportClause?.elements.length > 0)
    return node.exportClause.elements.map(({ name }) => name.text);
  return node.name && ts.isIdentifier(node.name) && node.name.text !== 'global' ? [node.name.text] : undefined;
}

/** The identifiers in a statement, and what it reaches by `import('…')`. */
function usedBy(statement, pathOf) {
  const [uses, reaches] = [new Set(), []];
  const visit = (node) => {
    if (ts.isIdentifier(node)) uses.add(node.text);
    if (ts.isImportTypeNode(node)) {
      const from = pathOf(node.argument.literal.text);
      if (from !== undefined) reaches.push([from, undefined]);
    }
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return { uses, reaches };
}

function textOf({ statements }) {
  const used = new Set(statements.flatMap(({ isKept, uses }) => (isKept ? [...uses] : [])));
  const texts = statements.map(({ node, isKept, isExported, locals }) => {
    if (locals === undefined && !isKept) return '';
    if (locals === undefined) return isExported ? node.getFullText() : withoutDocblocks(node.getFullText());
    const kept = locals.filter((local) => used.has(local));
    if (kept.length === locals.length) return node.getFullText();
    return kept.length === 0 ? '' : importOf(node, kept);
  });
  return `${texts.join('').trimStart()}\n`;
}

/** An import of fewer names; only imports of several names, which have braces, can lose some. */
function importOf({ importClause, moduleSpecifier }, kept) {
  const elements = importClause.namedBindings.elements.filter(({ name }) => kept.includes(name.text));
  const type = importClause.isTypeOnly ? 'type ' : '';
  return `\nimport ${type}{ ${elements.map((each) => each.getText()).join(', ')} } from ${moduleSpecifier.getText()};`;
}

function withoutDocblocks(text) {
  return text.replace(/^[ \t]*\/\*\*[^]*?\*\/\r?\n/gm, '');
}
