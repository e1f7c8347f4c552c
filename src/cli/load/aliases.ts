import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { isAbsolute } from 'node:path';
import type ts from 'typescript';
import { compilerOf } from './compilers.js';
import { readConfig } from './Project.js';

/** Finds the files that the aliases of a project's tsconfig.json mean (`paths`, `baseUrl`), as its own compiler does. */
export class Aliases {
  readonly #find: ((name: string, importer: string) => string | undefined) | undefined;

  /** @param folder in which the tsconfig.json is looked for, and upwards from it */
  constructor(folder: string) {
    const compiler = compilerOf(folder);
    if (compiler?.kind !== 'typescript') return;
    const options = optionsOf(folder);
    if (!('baseUrl' in options) && options.paths === undefined) return;
    this.#find = finderOf(compiler.api, options, folder);
  }

  /** The file that an import means; undefined for a path, a package, and an alias that leads to no file. */
  resolve(name: string, importer: string | undefined): string | undefined {
    if (this.#find === undefined || importer === undefined || /[\\/]node_modules[\\/]/.test(importer)) return undefined;
    if (/^[.#]|^[a-z]+:/.test(name) || isAbsolute(name) || isBuiltin(name)) return undefined;
    return this.#find(name, importer);
  }
}

function finderOf(api: typeof ts, given: ts.CompilerOptions, folder: string) {
  const options = { ...given, moduleResolution: api.ModuleResolutionKind.Bundler, module: api.ModuleKind.ESNext };
  const cache = api.createModuleResolutionCache(folder, (name) => name, options);
  return (name: string, importer: string): string | undefined => {
    const { resolvedModule: found } = api.resolveModuleName(name, importer, options, api.sys, cache);
    if (found === undefined || found.isExternalLibraryImport === true) return undefined;
    // The file that runs is next to its declarations.
    const file = found.resolvedFileName.replace(/\.d\.([cm]?)ts$/, '.$1js');
    return existsSync(file) ? file : undefined;
  };
}

/** The aliases of a project's tsconfig.json, as they are written, and what they lead to. Empty if it cannot be read. */
export function aliasesOf(folder: string): Readonly<Record<string, readonly string[]>> {
  try {
    return optionsOf(folder).paths ?? {};
  } catch {
    return {};
  }
}

function optionsOf(folder: string): ts.CompilerOptions {
  const compiler = compilerOf(folder);
  return compiler?.kind === 'typescript' ? readConfig(compiler, folder).options : {};
}

/** The alias by which something was imported that was not found; undefined if it was none. */
export function aliasIn(error: unknown, aliases: readonly string[]): string | undefined {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined;
  const name = /'([^']+)'/.exec(message ?? '')?.[1] ?? '';
  return aliases.find((alias) => {
    const [before = '', after] = alias.split('*');
    if (after === undefined) return name === alias;
    // Of a package, Node names the first one or two parts alone.
    return alias !== '*' && (name.startsWith(before) || before.startsWith(`${name}/`));
  });
}
