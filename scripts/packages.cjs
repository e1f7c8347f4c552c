'use strict';

const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { paths } = readJson('tsconfig.json').compilerOptions;

/**
 * The packages of this repository, each after its dependencies: its folder from the root, its manifest, and the source file of each
 * of its sub-paths, from its folder.
 */
module.exports = inOrder(
  ['.', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)]
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const manifest = readJson(join(folder, 'package.json'));
      const subPaths = Object.keys(manifest.exports).filter((subPath) => subPath !== './package.json');
      const entries = Object.fromEntries(subPaths.map((subPath) => [subPath, sourceOf(folder, manifest, subPath)]));
      return { folder, manifest, entries };
    }),
);

/** Finds the source file of a sub-path, as TypeScript does. */
function sourceOf(folder, { name }, subPath) {
  const specifier = `${name}${subPath.slice(1)}`;
  const candidates = Object.entries(paths).flatMap(([pattern, places]) => {
    const [start, end] = pattern.split('*');
    if (end === undefined) return pattern === specifier ? places : [];
    return specifier.startsWith(start)
      ? places.map((place) => place.replaceAll('*', specifier.slice(start.length)))
      : [];
  });
  const found = candidates.find((file) => existsSync(join(root, file)));
  if (found === undefined)
    throw new Error(`${folder}/package.json exports ${subPath}; no path of tsconfig.json has it.`);
  return found.replace(folder === '.' ? './' : `./${folder}/`, '');
}

function inOrder(packages) {
  const placed = [];
  const place = (each) => {
    if (placed.includes(each)) return;
    const { peerDependencies, devDependencies } = each.manifest;
    const needed = Object.keys({ ...peerDependencies, ...devDependencies });
    for (const other of packages) if (other !== each && needed.includes(other.manifest.name)) place(other);
    placed.push(each);
  };
  packages.forEach(place);
  return placed;
}
