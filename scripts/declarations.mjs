// The declarations that the package ships.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { entries } from './entries.mjs';
import { reachableDeclarations } from './reachableDeclarations.mjs';

const imports = /(['"])(\.[^'"]*)\.js\1/g;
const namesOtherPackages = /(?:from |import\()['"](?!\.|node:)/;

/**
 * The declarations of both builds, as pairs of a path below dist/ and a text. The one of ES modules refers to the one of CommonJS,
 * so that a type is the same in both, except where a declaration names types of other packages: those may differ.
 */
export function declarations(modules) {
  const graph = graphOf(modules);
  const twice = importersOf(graph, ({ text }) => namesOtherPackages.test(text));
  const own = [...graph.keys()].filter((name) => twice.has(name));
  const referring = Object.values(entries).filter((name) => !twice.has(name));
  return [
    ...[...graph].map(([name, { text }]) => [`cjs/${name}.d.ts`, text]),
    ...own.map((name) => [`esm/${name}.d.ts`, withOwnImports(name, graph.get(name).text, twice)]),
    ...referring.map((name) => [`esm/${name}.d.ts`, `export * from '${pathTo(`cjs/${name}`, name)}.js';\n`]),
  ];
}

/** The declarations that entries reach. By the names of their modules, each with its text and the modules that it imports. */
function graphOf(modules) {
  const reachable = reachableDeclarations(Object.values(entries), (name) =>
    readFileSync(join(modules, `${name}.d.ts`), 'utf8'),
  );
  // The contract stays in the repository.
  const texts = [...reachable].map(([name, text]) => [name, text.replaceAll('docs/contract.md', 'contract')]);
  return new Map(texts.map(([name, text]) => [name, { imported: importedBy(name, text), text }]));
}

/** The names of those that match, and of all that import them, directly or not. */
function importersOf(graph, matches) {
  const found = new Set([...graph].filter(([, file]) => matches(file)).map(([name]) => name));
  for (const name of found)
    for (const [importer, { imported }] of graph) if (imported.includes(name)) found.add(importer);
  return found;
}

function withOwnImports(name, text, own) {
  return text.replace(imports, (found, quote, path) => {
    const target = posix.join(posix.dirname(name), path);
    return own.has(target) ? found : `${quote}${pathTo(`cjs/${target}`, name)}.js${quote}`;
  });
}

/** The path of a module below dist/, as a module of the ES modules writes it. */
function pathTo(target, name) {
  return posix.relative(posix.dirname(`esm/${name}`), target);
}

function importedBy(name, text) {
  return [...text.matchAll(imports)].map(([, , path]) => posix.join(posix.dirname(name), path));
}
