// Puts the compiled modules of src/ together, a file for each entry and one or two for what entries share: a process that
// imports Toolwright reads a few files instead of some hundreds.
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { entries } from './entries.mjs';

/** Files of their own: what runs for its effect, and what has to know its own place. */
const apart = ['common/reflect', 'common/builtFolder'];
/** Files that threads are started from. Their modules stay as they are: a guest is given classes as their text reads. */
const workers = ['code/sandbox/worker', 'code/check/checkWorker'];
/** What entries share; only some need what programs need. */
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

/** A module that stays a file of its own, which the files around it find beside them; undefined for all others. */
function leftApart(id, importer, modules) {
  if (importer === undefined || !id.startsWith('.')) return undefined;
  const file = resolve(importer, '..', id);
  return apart.some((name) => file === join(modules, `${name}.js`)) ? { id: file, external: 'relative' } : undefined;
}

function isOfPrograms(id) {
  return /[\\/]code[\\/]/.test(id);
}
