'use strict';

const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { dirname, join, relative, resolve } = require('node:path');

const root = resolve(__dirname, '../..');
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

/** True if a file imports the sources of a package by paths, directly or indirectly. */
function reachesSources(file) {
  const seen = new Set([file]);
  // Iteration of a set includes members that are added meanwhile.
  for (const each of seen) {
    if (/^(?:packages[\\/][^\\/]+[\\/])?src[\\/]/.test(relative(root, each))) return true;
    for (const imported of importsOf(each)) seen.add(imported);
  }
  return false;
}

const specs = ['spec', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/spec`)]
  .map((folder) => join(root, folder))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.spec.ts'))
      .map((name) => join(folder, name)),
  );
const sourceSpecs = specs.filter(reachesSources);

/** The spec files that import packages only through their entries, and those that import sources by paths. */
module.exports = { publicSpecs: specs.filter((file) => !sourceSpecs.includes(file)), sourceSpecs };
