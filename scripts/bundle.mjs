// Bundles the compiled modules of src/ into a file for each entry and one or two for what entries share: a process that imports
// Toolwright reads a few files instead of some hundreds.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { entries } from './entries.mjs';
import { inStatements } from './inStatements.mjs';

/** Files of their own: modules with side effects, modules that depend on their own path, and texts that threads read as well. */
const apart = ['common/reflect', 'common/builtFolder', 'error/remedies'];
/** Texts alone, and long ones: both builds read one file. */
const TEXTS = 'error/remedies';
/**
 * Entry files of threads, which run ES modules in either build. Their modules are not renamed: a guest receives classes as source
 * text.
 */
const workers = ['code/sandbox/worker', 'code/check/checkWorker', 'integration/sqlite/worker'];

/**
 * Local names and expressions become short and white space goes, so that the package stays below its bound. The names of classes
 * and functions stay: errors and stacks show them. So do statements, each on a line of its own, which Node prints.
 */
const minify = {
  compress: { sequences: false, joinVars: false, keepNames: { function: true, class: true } },
  mangle: { toplevel: true, keepNames: true },
  codegen: true,
};

/** White space goes from modules whose names have to stay. */
const whitespace = { compress: false, mangle: false, codegen: true };

/** From compiled modules (`.js`) in one folder to files in the other. */
export async function bundle(modules, outDir, format) {
  const together = (names, options) => bundleFiles(names, modules, outDir, { format, ...options });
  await together(Object.values(entries), { minify, codeSplitting: { groups: groupsOf(modules) } });
  await together(format === 'esm' ? apart.filter((name) => name !== TEXTS) : apart, { minify });
  if (format === 'esm') {
    mkdirSync(join(outDir, TEXTS, '..'), { recursive: true });
    writeFileSync(join(outDir, `${TEXTS}.js`), `export { remedies } from '../../cjs/${TEXTS}.js';\n`);
    await together(workers, { minify: whitespace, preserveModules: true, preserveModulesRoot: modules });
  }
}

/**
 * The command line, with the libraries that it uses, beside the entries of the package, which it imports as users do. It is CommonJS,
 * which Node starts sooner than ES modules: `main` has what every command needs and all of help, each other file what some need.
 * Node's hooks for modules are ES modules.
 */
const commandLine = { cjs: { main: 'cli/main' }, esm: { hooks: 'cli/load/hooks' } };

/** From compiled modules in one folder to `cli/` in the other. */
export async function bundleCommandLine(modules, outDir) {
  const files = [];
  for (const [format, input] of Object.entries(commandLine))
    files.push(...(await commands(modules, outDir, format, input)));
  writeFileSync(join(outDir, 'cli/LICENSES.txt'), licencesOf(files.flatMap(({ moduleIds = [] }) => moduleIds)));
}

async function commands(modules, outDir, format, input) {
  const library = new Map(Object.values(entries).map((name) => [join(modules, `${name}.js`), `../esm/${name}.js`]));
  const bundled = await rolldown({
    input: Object.fromEntries(Object.entries(input).map(([name, file]) => [name, join(modules, `${file}.js`)])),
    platform: 'node',
    plugins: [
      {
        name: 'library',
        resolveId: (id, importer) => {
          const external = importer === undefined ? undefined : library.get(resolve(importer, '..', id));
          return external === undefined ? undefined : { id: external, external: true };
        },
      },
    ],
    experimental: { attachDebugInfo: 'none' },
  });
  const names = format === 'cjs' ? '[name].js' : '[name].mjs';
  const { output } = await bundled.write({
    dir: join(outDir, 'cli'),
    format,
    entryFileNames: names,
    chunkFileNames: names,
    minify: { compress: true, mangle: true, codegen: true },
    keepNames: false,
    comments: false,
  });
  return output;
}

/** The notices of the libraries in a bundle, as their licences ask. */
function licencesOf(files) {
  const packages = new Set(
    files.flatMap((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0] ?? []),
  );
  return [...packages].sort().map(noticeOf).join('\n');
}

function noticeOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no file with its licence.`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
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
    exports: 'named',
    // One character beyond Latin-1 doubles what the engine keeps of a file's text.
    charset: 'ascii',
    comments: false,
    ...output,
  });
  for (const { code, fileName } of files) {
    if (code === undefined) continue;
    assertClassNames(code);
    if (output.minify !== undefined) writeFileSync(join(outDir, fileName), inStatements(code));
  }
}

/** A class whose name another has in the same file is renamed, and users read the name of a class: errors print it. */
function assertClassNames(code) {
  const [renamed] = /\b\w+\$\d+\s*=\s*class\b|\bclass \w+\$\d+/.exec(code) ?? [];
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
