'use strict';

const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { dirname, join, resolve, sep } = require('node:path');

const root = resolve(__dirname, '..');
const sources = join(root, 'src') + sep;
const known = new Map();

/** The files that a file imports, or requires, by a relative path. */
function importsOf(file) {
  if (!known.has(file)) known.set(file, readImports(file));
  return known.get(file);
}

function readImports(file) {
  const paths = readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport |\bimport\(|\brequire\()'(\.[^']+)'/g);
  return [...paths].flatMap(([, path]) => {
    const target = resolve(dirname(file), path);
    const candidates = [target.replace(/\.js$/, '.ts'), `${target}.ts`, join(target, 'index.ts')];
    return candidates.find((each) => existsSync(each) && statSync(each).isFile()) ?? [];
  });
}

/** True if a file imports src/ by paths, directly or indirectly. */
function reachesSources(file) {
  const seen = new Set([file]);
  // Iteration of a set includes members that are added meanwhile.
  for (const each of seen) {
    if (each.startsWith(sources)) return true;
    for (const imported of importsOf(each)) seen.add(imported);
  }
  return false;
}

/** The spec files that import Toolwright through its public entries alone. */
module.exports = readdirSync(join(root, 'spec'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => join(root, 'spec', name))
  .filter((file) => !reachesSources(file));
