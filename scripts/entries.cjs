'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { paths } = readJson('tsconfig.json').compilerOptions;

/** The source file of each sub-path of the package, as TypeScript finds it: from `src/`, without `.ts`. */
module.exports = Object.fromEntries(
  Object.keys(readJson('package.json').exports)
    .filter((subPath) => subPath !== './package.json')
    .map((subPath) => [subPath, sourceOf(subPath)]),
);

function sourceOf(subPath) {
  const places = subPath === '.' ? paths['toolwright'] : paths['toolwright/*'];
  const candidates = places.map((place) => place.replace('*', subPath.slice(2)));
  const found = candidates.find((file) => existsSync(join(root, file)));
  if (found === undefined)
    throw new Error(`package.json exports ${subPath}, and none of ${candidates.join(', ')} exists.`);
  return found.replace(/^\.\/src\/|\.ts$/g, '');
}
