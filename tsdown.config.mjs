// Builds dist/: for each sub-path of the package a file that is named after it, in both formats, and a few files for what they share.
// scripts/build.mjs runs it when it is stale; `npx tsdown` runs it alone.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('src/', import.meta.url));
const entries = createRequire(import.meta.url)('./scripts/entries.cjs');

/** Each stays a file of its own: the first for its side effect, the second for its path, the third because it is long text. */
const apart = ['common/reflect', 'common/builtFolder', 'error/remedies'];

const common = {
  tsconfig: 'tsconfig.src.json',
  target: 'node20.19',
  sourcemap: true,
  hash: false,
  logLevel: 'warn',
  // Silences advice against CommonJS, which is supported, and the shares of plugins in the time of the build.
  checks: { legacyCjs: false, pluginTimings: false },
  deps: { skipNodeModulesBundle: true },
};

const library = {
  ...common,
  entry: Object.fromEntries(Object.entries(entries).map(([path, source]) => [nameOf(path), `src/${source}.ts`])),
  outDir: 'dist',
  format: ['esm', 'cjs'],
  dts: { sourcemap: false },
  shims: true,
  outputOptions: (_options, format, { cjsDts }) => ({
    exports: 'named',
    minifyInternalExports: false,
    // The ES modules and the maps of both formats keep the docblocks of the code; all declarations do.
    comments: format === 'cjs' && !cjsDts ? { jsdoc: false } : true,
    codeSplitting: { groups: sharedFiles() },
  }),
};

/**
 * The entry files of threads and what they import are ES modules in either build. They stay apart and keep their names, because a
 * guest receives classes as source text.
 */
const workers = {
  ...common,
  entry: ['code/sandbox/worker', 'code/check/checkWorker', 'integration/sqlite/worker'].map((name) => `src/${name}.ts`),
  outDir: 'dist/workers',
  root: 'src',
  format: 'esm',
  unbundle: true,
  dts: false,
};

export default [library, workers];

function nameOf(subPath) {
  return subPath === '.' ? 'index' : subPath.slice(2);
}

/**
 * What entries share, in a file for each time at which it is needed: `core` when the root entry is imported, `engine` when the first
 * application is created, `programs` and `adapters` by some of the sub-paths.
 */
function sharedFiles() {
  const own = new Set(Object.values(entries));
  const group = (name, minShareCount, belongs) => ({
    name: (id, graph) => {
      const module = moduleOf(id);
      if (module === undefined || own.has(module) || !belongs(id, graph)) return undefined;
      return isDeclaration(id) ? `${name}.d` : name;
    },
    minShareCount,
  });
  const isOfPrograms = (id) => moduleOf(id).startsWith('code/');
  return [
    ...apart.map((name) => ({ name: name.split('/').at(-1), test: (id) => id === `${src}${name}.ts`, priority: 3 })),
    { ...group('core', 1, reachedFrom('index')), priority: 2 },
    { ...group('engine', 1, reachedFrom('application/composeApplication')), priority: 1 },
    group('programs', 2, isOfPrograms),
    group('adapters', 2, (id) => !isOfPrograms(id)),
  ];
}

/** True for what a module imports, and what that imports in turn; `import()` does not count. */
function reachedFrom(name) {
  const reachedBy = new Map();
  return (id, graph) => {
    const start = `${src}${name}${isDeclaration(id) ? '.d.ts' : '.ts'}`;
    if (!reachedBy.has(start)) {
      const reached = new Set([start]);
      // A set goes on to what is added to it meanwhile.
      for (const each of reached) for (const next of graph.getModuleInfo(each)?.importedIds ?? []) reached.add(next);
      reachedBy.set(start, reached);
    }
    return reachedBy.get(start).has(id);
  };
}

/** The path of a module below src/, without its ending; undefined for a module of another place. */
function moduleOf(id) {
  return id.startsWith(src)
    ? id
        .slice(src.length)
        .replaceAll('\\', '/')
        .replace(/(?:\.d)?\.ts$/, '')
    : undefined;
}

function isDeclaration(id) {
  return id.endsWith('.d.ts');
}
