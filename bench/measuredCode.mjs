// Finds the code and the peers that a bench measures, from its sources.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../scripts/process.mjs';

/** Hashes the code of all packages that a bench imports, without comments and layout. `folder` holds the sources of a commit. */
export function hashMeasuredCode(bench, folder = root) {
  const hash = createHash('sha256');
  for (const name of listPackages(bench)) hash.update(hashPackage(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}

/** Lists the folders of the core, of the packages that the sources of a bench name, and of their dependencies in this repository. */
function listPackages(bench) {
  const names = new Set(['.']);
  const add = (text) => {
    for (const [, name] of text.matchAll(/@toolwright\/([\w-]+)/g)) names.add(`packages/${name}`);
  };
  readSources(`bench/${bench}.bench.ts`).forEach(add);
  // A set goes on to what is added to it meanwhile.
  for (const name of names)
    if (name !== '.' && existsSync(join(root, name)))
      add(JSON.stringify(JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8')).peerDependencies ?? {}));
  return [...names].sort();
}

/** Reads the exact versions of the peers that a bench names, by name. */
export function readPeerVersions(bench) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'bench/package.json'), 'utf8'));
  const texts = readSources(`bench/${bench}.bench.ts`);
  const isNamed = (name) => texts.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`));
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => isNamed(name)));
}

/** Reads a source of a bench, the files that it imports by relative paths, and the peers that it loads by name. */
function readSources(file, known = new Map()) {
  if (known.has(file) || !existsSync(join(root, file))) return [...known.values()];
  const text = readFileSync(join(root, file), 'utf8');
  known.set(file, text);
  for (const [, path] of text.matchAll(/'(\.\.?\/[^']+)'/g))
    readSources(join(dirname(file), path).replace(/\.js$/, '.ts'), known);
  for (const [, name] of text.matchAll(/peersOf(?:<[^>]*>)?\('(\w+)'/g)) readSources(`bench/peers/${name}.mjs`, known);
  return [...known.values()];
}

const hashes = new Map();

function hashPackage(folder) {
  if (!hashes.has(folder)) {
    const hash = createHash('sha256');
    const source = join(folder, 'src');
    const files = existsSync(source) ? readdirSync(source, { recursive: true }) : [];
    for (const file of files.filter((each) => /\.tsx?$/.test(each)).sort())
      hash.update(`${file.replaceAll('\\', '/')}\0${normalize(join(source, file))}\0`);
    hashes.set(folder, hash.digest('hex'));
  }
  return hashes.get(folder);
}

/** Returns the code of a file without comments and white space, so that neither changes its hash. */
function normalize(path) {
  const ts = createRequire(import.meta.url)('typescript');
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  return ts.createPrinter({ removeComments: true }).printFile(file).replaceAll(/\s+/g, '');
}
