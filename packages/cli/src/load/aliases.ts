import { createPathsMatcher, getTsconfig, type PathsMatcher } from 'get-tsconfig';
import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { isAbsolute } from 'node:path';
import { isSource, listSources } from './findModuleFormat.js';

/** Finds the files that the aliases of a project's tsconfig.json mean (`paths`, `baseUrl`). */
export class Aliases {
  readonly #match: PathsMatcher | undefined;

  /** @param folder in which the tsconfig.json is looked for, and upwards from it; one that cannot be read has no aliases */
  constructor(folder: string) {
    try {
      const config = getTsconfig(folder);
      this.#match = (config === null ? null : createPathsMatcher(config)) ?? undefined;
    } catch {
      // The compiler of the project reads it as well, and says what is wrong with it.
    }
  }

  /** The file that an import means; undefined for a path, a package, and an alias that leads to no file. */
  resolve(name: string, importer: string | undefined): string | undefined {
    if (this.#match === undefined || importer === undefined || isOfPackage(importer)) return undefined;
    if (/^[.#]|^[a-z]+:/.test(name) || isAbsolute(name) || isBuiltin(name)) return undefined;
    const { resolve } = createRequire(importer);
    for (const path of this.#match(name)) {
      const file = isOfPackage(path) ? undefined : findFile(path, resolve);
      if (file !== undefined) return file;
    }
    return undefined;
  }
}

/** The file that a target of an alias means: a source, or what Node finds there, such as the main file of a folder. */
function findFile(target: string, resolve: (path: string) => string): string | undefined {
  // The file that runs is next to its declarations.
  const path = target.replace(/\.d\.([cm]?)ts$/, '.$1js');
  const source = [path, ...listSources(path)].find((each) => isSource(each) && existsSync(each));
  if (source !== undefined) return source;
  try {
    return resolve(path);
  } catch {
    return undefined;
  }
}

function isOfPackage(file: string): boolean {
  return /[\\/]node_modules[\\/]/.test(file);
}

/** The aliases of a project's tsconfig.json, as they are written, and what they lead to. Empty if it cannot be read. */
export function readAliases(folder: string): Readonly<Record<string, readonly string[]>> {
  try {
    return getTsconfig(folder)?.config.compilerOptions?.paths ?? {};
  } catch {
    return {};
  }
}

/** The alias by which something was imported that was not found; undefined if it was none. */
export function findAlias(error: unknown, aliases: readonly string[]): string | undefined {
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
