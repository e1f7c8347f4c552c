// Builds dist/ of every package: one file for each sub-path in both formats, and a few chunks that sub-paths share. scripts/build.mjs
// builds the stale packages with it; `npx tsdown` builds all of them.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const packages = createRequire(import.meta.url)('./scripts/packages.cjs');
const root = fileURLToPath(new URL('.', import.meta.url));
const src = `${root}src/`;

/** What the bundler writes at the end of a shared CommonJS file, for each name. */
const EXPORTED_GETTER =
  /^Object\.defineProperty\(exports, ["'](\w+)["'], \{\s*enumerable: true,\s*get: function\(\) \{\s*return (\w+);\s*\}\s*\}\);$/gm;

const common = {
  tsconfig: 'tsconfig.build.json',
  target: 'node20.19',
  sourcemap: true,
  hash: false,
  clean: false,
  logLevel: 'warn',
  // Silences advice against CommonJS, which is supported, and the shares of plugins in the time of the build.
  checks: { legacyCjs: false, pluginTimings: false },
  deps: { skipNodeModulesBundle: true },
  // Comments that mark the beginning and end of each module are one percent of the download.
  inputOptions: { experimental: { attachDebugInfo: 'none' } },
  plugins: [rewriteChunks('ascii', escapeNonAscii), rewriteChunks('plain-exports', exportValues)],
};

/** Each stays a file of its own: the first for its side effect, the second for its path. */
const apart = ['common/reflect', 'common/builtFolder'];

/** The module that knows where its package is stays a file of its own: bundlers of applications leave it out by its path. */
const ownFolder = { name: 'builtFolder', test: (id) => id.endsWith('/src/builtFolder.ts') };

/** Otherwise the bundler may put modules that two entries share into a file that requires one of the entries, which requires it. */
const sharedByEntries = {
  name: (id) => (id.endsWith('/index.ts') || !id.includes('/src/') || isDeclaration(id) ? undefined : 'shared'),
  minShareCount: 2,
};

/**
 * What the entries of the core share, in a file for each time at which it is needed: `light` by threads and the command, `command` by it alone, `core` when
 * the root entry is imported, `engine` when the first application is created, `shared` by some of the sub-paths.
 */
const [isCore, isLight] = [reachedFrom('index'), reachedFrom('exports/internal/light')];
const isEngine = reachedFrom('application/composeApplication');
const groupsOfCore = [
  ...apart.map((name) => ({ name: name.split('/').at(-1), test: (id) => id === `${src}${name}.ts`, priority: 4 })),
  { ...group('light', 1, (id, graph) => isLight(id, graph) && isCore(id, graph)), priority: 3 },
  { ...group('command', 1, (id, graph) => isLight(id, graph) && !isCore(id, graph)), priority: 3 },
  { ...group('core', 1, isCore), priority: 2 },
  { ...group('engine', 1, isEngine), priority: 1 },
  group('shared', 2, () => true),
];

/** The entry files of threads, which run ES modules in either build. They keep their names: a guest receives classes as source text. */
const threads = {
  'packages/programs': ['src/sandbox/worker.ts', 'src/check/checkWorker.ts'],
  'packages/durable': ['src/sqlite/worker.ts'],
};

/** Starts as CommonJS, which Node loads sooner; Node's hooks for modules are ES modules. */
const commandLine = [
  { entry: { main: 'src/main.ts' }, format: 'cjs' },
  { entry: { hooks: 'src/load/hooks.ts' }, format: 'esm' },
];

/** The builds of one package. */
export function buildsOf({ folder, entries }) {
  const cwd = folder === '.' ? root : `${root}${folder}`;
  const named = Object.entries(entries).map(([path, source]) => [path === '.' ? 'index' : path.slice(2), source]);
  const library = {
    entry: Object.fromEntries(named),
    outDir: 'dist',
    format: ['esm', 'cjs'],
    dts: { sourcemap: false },
    shims: true,
    inputOptions: (options, format) => {
      options.experimental = { ...options.experimental, ...common.inputOptions.experimental };
      // The address is read at its use: some runtimes have none, and then only loading a package late fails.
      if (format === 'es') options.transform.define = { ...options.transform.define, __filename: 'import.meta.url' };
    },
    outputOptions: (_options, format, { cjsDts }) => ({
      exports: 'named',
      minifyInternalExports: false,
      // What CommonJS loads late is the CommonJS copy, too.
      dynamicImportInCjs: false,
      // Declarations and maps keep the docblocks. So does code that is written together with declarations, but for the core: there they
      // would take a tenth of the download, and scripts/build.mjs lets its declarations refer to those of CommonJS.
      comments: (format === 'cjs' ? cjsDts : folder !== '.') ? true : { jsdoc: false },
      codeSplitting: { groups: folder === '.' ? groupsOfCore : [ownFolder, sharedByEntries] },
    }),
  };
  const ofThreads = (entry) => ({
    entry,
    outDir: 'dist/workers',
    root: 'src',
    format: 'esm',
    unbundle: true,
    dts: false,
  });
  const ofCommandLine = (build) => ({ ...build, outDir: 'dist', dts: false, shims: true });
  const builds = [
    ...(named.length === 0 ? [] : [library]),
    ...(folder in threads ? [ofThreads(threads[folder])] : []),
    ...(folder === 'packages/cli' ? commandLine.map(ofCommandLine) : []),
  ];
  return builds.map((build) => ({ ...common, ...build, cwd }));
}

export default packages.flatMap(buildsOf);

function group(name, minShareCount, belongs) {
  const own = new Set(Object.values(packages[0].entries).map((source) => source.replace(/^src\/|\.ts$/g, '')));
  return {
    name: (id, graph) => {
      const module = moduleOf(id);
      if (module === undefined || own.has(module) || !belongs(id, graph)) return undefined;
      return isDeclaration(id) ? `${name}.d` : name;
    },
    minShareCount,
  };
}

/** A plugin that rewrites the code of each written file. */
function rewriteChunks(name, rewrite) {
  return {
    name,
    generateBundle: (_options, bundle) => {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && !isDeclaration(chunk.fileName)) chunk.code = rewrite(chunk.code);
    },
  };
}

/** V8 keeps a file in two bytes a character as soon as one is beyond Latin-1, such as `…`: 2 MB of a cold start. */
function escapeNonAscii(code) {
  return code.replace(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Files that several entries share export each name as a getter of five lines, a tenth of what `require` of the root entry reads. A
 * value that is never assigned again needs none.
 */
function exportValues(code) {
  return code.replace(EXPORTED_GETTER, (getter, exported, local) => {
    const declaration = new RegExp(
      `^(?:const ${local} =|(?:async )?function\\*? ${local}\\(|var ${local} = class\\b)`,
      'm',
    );
    return declaration.test(code) ? `exports.${exported} = ${local};` : getter;
  });
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
  if (!id.startsWith(src)) return undefined;
  return id
    .slice(src.length)
    .replaceAll('\\', '/')
    .replace(/(?:\.d)?\.ts$/, '');
}

function isDeclaration(id) {
  return /\.d\.[cm]?ts$/.test(id);
}
