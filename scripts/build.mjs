// Builds dist/ of every package, and build/samples and build/bench from their folders, each only if it is stale.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import packages from './packages.cjs';
import { must, removeAtExit, root } from './process.mjs';

const compilerInputs = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/build.mjs'];
/** A docblock, with its indentation and the line break after it. */
const DOCBLOCK = /^([ \t]*)\/\*\*[^]*?\*\/\n/gm;
/** The example of a member, in one line at the end of its docblock, with the empty line before it. */
const EXAMPLE_OF_OPTION = /(?:^ {2} \*\n)?^ {2} \* @example \w+: .*\n(?= {3}\*\/)/gm;
/** A function or constant with its docblock, and its name. */
const VALUE = /^\/\*\*(?:(?!\*\/)[^])*\*\/\n(declare (?:function|const) (\w+))/gm;

/** Brings dist/ of all packages up to date. Returns the stamp of their sources. */
export async function build() {
  bootstrap();
  let stamp = fingerprint([...compilerInputs, 'tsdown.config.mjs', 'scripts/packages.cjs']);
  for (const each of packages) {
    const at = (path) => (each.folder === '.' ? path : `${each.folder}/${path}`);
    const own = ['src', 'package.json', 'tsconfig.build.json', 'build.mjs'].map(at);
    // The declarations of a package refer to types of its dependencies, which are built before it.
    stamp = await makeWhenStale(at('dist'), fingerprint(own, stamp), (out) => buildPackage(each, out));
  }
  return stamp;
}

async function buildPackage(each, out) {
  const { build: bundle } = await import('tsdown');
  const { buildsOf } = await import('../tsdown.config.mjs');
  for (const config of buildsOf(each))
    await bundle({ ...config, config: false, outDir: join(out, relative('dist', config.outDir)) });
  if (each.folder === '.') {
    shareDeclarations(each, out);
    shortenDeclarations(each, out);
  }
  const own = join(root, each.folder, 'build.mjs');
  if (existsSync(own)) await (await import(own)).build(out);
}

/** Lets the declarations of the ES modules refer to those of CommonJS, so that a type is the same in both formats. */
function shareDeclarations({ entries }, folder) {
  const names = Object.keys(entries).map((path) => (path === '.' ? 'index' : path.slice(2)));
  for (const file of readdirSync(folder, { recursive: true }).filter((each) => each.endsWith('.d.mts')))
    rmSync(join(folder, file));
  for (const name of names) {
    const hasDefault = /\bas default\b/.test(readFileSync(join(folder, `${name}.d.cts`), 'utf8'));
    const target = `'./${basename(name)}.cjs';\n`;
    const text = `export * from ${target}${hasDefault ? `export { default } from ${target}` : ''}`;
    writeFileSync(join(folder, `${name}.d.mts`), text);
  }
}

/**
 * Removes from declarations the bundler's marks of modules, links to maps that are not written, and texts that no user reads: docblocks
 * of `toolwright/internal`, of `@internal` members, and of functions and constants that no other entry names. docs/options.md has the
 * examples of options.
 */
function shortenDeclarations({ entries }, folder) {
  const publicFiles = Object.keys(entries)
    .filter((path) => !path.startsWith('./internal'))
    .map((path) => `${path === '.' ? 'index' : path.slice(2)}.d.cts`);
  const named = new Set(publicFiles.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/\w+/g)));
  for (const file of readdirSync(folder, { recursive: true }).filter((each) => each.endsWith('.d.cts'))) {
    const isInternal = /^(?:internal|command)\b/.test(file);
    const shorten = (block, indent) => (block.includes('@internal') ? `${indent}/** @internal */\n` : block);
    const text = readFileSync(join(folder, file), 'utf8')
      .replace(/^\/\/#(?:(?:end)?region\b| sourceMappingURL=).*\n?/gm, '')
      .replace(VALUE, (all, declaration, name) => (named.has(name) ? all : declaration))
      .replace(EXAMPLE_OF_OPTION, '')
      .replace(DOCBLOCK, isInternal ? '' : shorten);
    writeFileSync(join(folder, file), text);
  }
}

/** Compiles samples/ or bench/ against the built packages, as a user would. */
export async function buildAgainstPackages(folder) {
  const stamp = fingerprint([folder, `tsconfig.${folder}.json`, ...compilerInputs], await build());
  await makeWhenStale(`build/${folder}`, stamp, (out) => compile(`tsconfig.${folder}.json`, out));
}

/** Builds into a temporary folder and then renames it, so that a failed build keeps the last good one. */
async function makeWhenStale(folder, stamp, make) {
  const stampFile = `build/stamps/${folder.replaceAll('/', '-')}`;
  if (existsSync(join(root, folder)) && isFresh(stampFile, stamp)) return stamp;
  const target = join(root, folder);
  const fresh = removeAtExit(join(dirname(target), `.dist-${process.pid}`));
  await make(fresh);
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
  writeStamp(stampFile, stamp);
  return stamp;
}

function compile(project, outDir) {
  must(`tsc -p ${project}`, process.execPath, ['node_modules/typescript/bin/tsc', '-p', project, '--outDir', outDir]);
}

/** Computes the hash of files and folders, by path and content. */
export function fingerprint(paths, ...extra) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesUnder)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  for (const text of extra) hash.update(`\0${text}`);
  return hash.digest('hex');
}

export function isFresh(stamp, value) {
  const file = join(root, stamp);
  return existsSync(file) && readFileSync(file, 'utf8') === value;
}

export function writeStamp(stamp, value) {
  const file = join(root, stamp);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, value);
}

function filesUnder(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .sort()
    .flatMap((name) => filesUnder(`${path}/${name}`));
}

if (process.argv[1] === import.meta.filename) await build();
