// Runs in the thread of Node's module hooks. Compiles TypeScript ES modules on import.
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { LoadHook, ResolveHook } from 'node:module';
import { Aliases } from './aliases.js';
import { findModuleFormat, isSource, listSources } from './findModuleFormat.js';
import { Project } from './Project.js';

let project: Project | undefined;
let aliases: Aliases | undefined;

/** Called by Node. */
export function initialize({ folder }: { readonly folder: string }): void {
  project = new Project(folder);
  aliases = new Aliases(folder);
}

export const resolve: ResolveHook = async (specifier, context, next) => {
  const { parentURL } = context;
  const meant =
    parentURL?.startsWith('file:') === true ? aliases?.resolve(specifier, fileURLToPath(parentURL)) : undefined;
  const name = meant === undefined ? specifier : pathToFileURL(meant).href;
  const source = sourceOf(name, parentURL);
  return source === undefined
    ? next(name, context)
    : { url: pathToFileURL(source).href, format: findModuleFormat(source), shortCircuit: true };
};

export const load: LoadHook = async (url, context, next) => {
  const file = url.startsWith('file:') ? fileURLToPath(new URL(url)) : undefined;
  if (file === undefined || project === undefined || !isSource(file)) return next(url, context);
  const format = findModuleFormat(file);
  // Without a source, Node's own CommonJS loader loads the file, with the hook of requireSources.
  if (format === 'commonjs') return { format, source: null as never, shortCircuit: true };
  return { format, source: project.compile(file, format), shortCircuit: true };
};

/** Finds the TypeScript file that a relative import means; undefined for existing files and for packages. */
function sourceOf(specifier: string, parent: string | undefined): string | undefined {
  if (!/^(?:\.{1,2}\/|\/|file:)/.test(specifier)) return undefined;
  const url = new URL(specifier, parent);
  if (url.protocol !== 'file:') return undefined;
  const path = fileURLToPath(url);
  if (isSource(path)) return existsSync(path) ? path : undefined;
  if (existsSync(path) && /\.[cm]?js(?:on)?$/.test(path)) return undefined;
  return listSources(path).find((source) => isSource(source) && existsSync(source));
}
