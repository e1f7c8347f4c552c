// Bundles the compiled modules of src/ into a file for each entry and one or two for what entries share: a process that imports
// Toolwright reads a few files instead of some hundreds.
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { entries } from './entries.mjs';

/** Files of their own: modules with side effects, and modules that depend on their own path. */
const apart = ['common/reflect', 'common/builtFolder'];
/**
 * Entry files of threads, which run ES modules in either build. Their modules are not renamed: a guest receives classes as source
 * text.
 */
const workers = ['code/sandbox/worker', 'code/check/checkWorker'];

/** From compiled modules (`.js`) in one folder to files in the other. */
export async function bundle(modules, outDir, format) {
  const together = (names, options) => bundleFiles(names, modules, outDir, { format, ...options });
  await together(Object.values(entries), { codeSplitting: { groups: groupsOf(modules) } });
  await together(apart, {});
  if (format === 'esm') await together(workers, { preserveModules: true, preserveModulesRoot: modules });
}

async function bundleFiles(names, modules, outDir, output) {
  const bundled = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(modules, `${name}.js`)])),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith(modules),
    plugins: [{ name: 'apart', resolveId: (id, importer) => leftApart(id, importer, modules) }],
    experimental: { attachDebugInfo: 'none' },
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  const { output: files } = await bundled.write({
    dir: outDir,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
    // One character beyond Latin-1 doubles what the engine keeps of a file's text.
    charset: 'ascii',
    comments: false,
    ...output,
  });
  for (const { code = '' } of files) assertClassNames(code);
}

/** A class whose name another has in the same file is renamed, and users read the name of a class: errors print it. */
function assertClassNames(code) {
  const [renamed] = /\b\w+\$\d+ = class\b|\bclass \w+\$\d+/.exec(code) ?? [];
  if (renamed !== undefined) throw new Error(`Two classes have one name in a bundle: ${renamed}`);
}

/** A module that stays a file of its own, next to the bundles; undefined for all others. */
function leftApart(id, importer, modules) {
  if (importer === undefined || !id.startsWith('.')) return undefined;
  const file = resolve(importer, '..', id);
  return apart.some((name) => file === join(modules, `${name}.js`)) ? { id: file, external: 'relative' } : undefined;
}

/**
 * What entries share, in a file for each time at which it is needed: `core` when the root entry is imported, `engine` when
 * the first application is created, `programs` and `adapters` by some of the sub-paths.
 */
function groupsOf(modules) {
  const pathOf = (name) => join(modules, `${name}.js`);
  const own = new Set(Object.values(entries).map(pathOf));
  const group = (name, minShareCount, belongs) => ({
    name: (id, graph) => (!own.has(id) && belongs(id, graph) ? name : undefined),
    debugName: name,
    minShareCount,
  });
  const [core, engine] = [reachedFrom(pathOf('index')), reachedFrom(pathOf('application/composeApplication'))];
  return [
    { ...group('core', 1, core), priority: 2 },
    { ...group('engine', 1, engine), priority: 1 },
    group('programs', 2, isOfPrograms),
    group('adapters', 2, (id) => !isOfPrograms(id)),
  ];
}

/** True for what a module imports, and what that imports in turn; `import()` does not count. */
function reachedFrom(start) {
  let reached;
  return (id, graph) => {
    if (reached === undefined) {
      reached = new Set([start]);
      // A set goes on to what is added to it meanwhile.
      for (const each of reached) for (const next of graph.getModuleInfo(each)?.importedIds ?? []) reached.add(next);
    }
    return reached.has(id);
  };
}

function isOfPrograms(id) {
  return /[\\/]code[\\/]/.test(id);
}
