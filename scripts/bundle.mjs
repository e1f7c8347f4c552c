// Bundles the compiled modules of src/ into a file for each entry and one or two for what entries share: a process that imports
// Toolwright reads a few files instead of some hundreds.
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { entries } from './entries.mjs';

/** Files of their own: modules with side effects, and modules that depend on their own path. */
const apart = ['common/reflect', 'common/builtFolder'];
/** Entry files of threads. Their modules are not renamed: a guest receives classes as source text. */
const workers = ['code/sandbox/worker', 'code/check/checkWorker'];
/** Modules that entries share; those for programs are needed only by some. */
const groups = [
  { name: 'core', test: (id) => !isOfPrograms(id), minShareCount: 2 },
  { name: 'programs', test: isOfPrograms, minShareCount: 2 },
];

/** From compiled modules (`.js`) in one folder to files in the other; classes and functions keep their names. */
export async function bundle(modules, outDir, format) {
  const together = (names, options) => bundleFiles(names, modules, outDir, { format, ...options });
  await together(Object.values(entries), { codeSplitting: { groups } });
  await together(apart, {});
  await together(workers, { preserveModules: true, preserveModulesRoot: modules });
}

async function bundleFiles(names, modules, outDir, output) {
  const bundled = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(modules, `${name}.js`)])),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith(modules),
    plugins: [{ name: 'apart', resolveId: (id, importer) => leftApart(id, importer, modules) }],
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  await bundled.write({
    dir: outDir,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
    comments: false,
    keepNames: true,
    ...output,
  });
}

/** A module that stays a file of its own, next to the bundles; undefined for all others. */
function leftApart(id, importer, modules) {
  if (importer === undefined || !id.startsWith('.')) return undefined;
  const file = resolve(importer, '..', id);
  return apart.some((name) => file === join(modules, `${name}.js`)) ? { id: file, external: 'relative' } : undefined;
}

function isOfPrograms(id) {
  return /[\\/]code[\\/]/.test(id);
}
