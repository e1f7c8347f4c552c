// The declarations that the package ships.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { entries } from './entries.mjs';

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

/** What the entries reach, and no other modules: most are internal. By name, each with its text and what it imports. */
function graphOf(modules) {
  const shown = exportedOf(modules);
  const graph = new Map();
  const names = new Set(Object.values(entries));
  // A set goes on to what is added to it meanwhile.
  for (const name of names) {
    const text = read(modules, name);
    const imported = importedBy(name, text);
    for (const each of imported) names.add(each);
    // The contract stays in the repository, and so do the docblocks of what users cannot import.
    graph.set(name, {
      imported,
      text: shown.has(name) ? text.replaceAll('docs/contract.md', 'contract') : withoutDocblocks(text),
    });
  }
  return graph;
}

/** The modules of which an entry exports a name, and the entries themselves. */
function exportedOf(modules) {
  const names = Object.values(entries);
  const exported = names.flatMap((name) => {
    const paths = read(modules, name).matchAll(/^export [^'"]*? from ['"](\.[^'"]*)\.js['"]/gm);
    return [...paths].map(([, path]) => posix.join(posix.dirname(name), path));
  });
  return new Set([...names, ...exported]);
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

function read(modules, name) {
  return readFileSync(join(modules, `${name}.d.ts`), 'utf8');
}

function withoutDocblocks(text) {
  return text.replace(/^[ \t]*\/\*\*[^]*?\*\/\r?\n/gm, '');
}
