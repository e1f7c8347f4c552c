// entries.json is the one list of the package's entry points: sub-path → source file under src/, without `.ts`.
// `exports` and `typesVersions` in package.json are written from it here; jest.config.cjs and the specs read it too.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.mjs';

export const entries = JSON.parse(readFileSync(new URL('./entries.json', import.meta.url), 'utf8'));

/** The value of `exports`. `types` is first in each condition, because resolvers take the first key that fits. */
export function exportsField() {
  const rows = Object.entries(entries).map(([subPath, source]) => [
    subPath,
    { import: target('esm', source), require: target('cjs', source) },
  ]);
  return { ...Object.fromEntries(rows), './package.json': './package.json' };
}

/**
 * The value of `typesVersions`, by which `moduleResolution: node10`, which does not support `exports`, finds the types of
 * sub-paths.
 */
export function typesVersionsField() {
  const rows = Object.entries(entries).filter(([subPath]) => subPath !== '.');
  return {
    '*': Object.fromEntries(rows.map(([subPath, source]) => [subPath.slice(2), [target('cjs', source).types]])),
  };
}

/** Brings `exports` and `typesVersions` in package.json into line with entries.json. */
export function syncExports() {
  const file = join(root, 'package.json');
  const text = readFileSync(file, 'utf8');
  const manifest = JSON.parse(text);
  manifest.exports = exportsField();
  manifest.typesVersions = typesVersionsField();
  const updated = `${JSON.stringify(manifest, null, 2)}\n`;
  if (updated !== text) writeFileSync(file, updated);
}

function target(format, source) {
  return { types: `./dist/${format}/${source}.d.ts`, default: `./dist/${format}/${source}.js` };
}
