import { createPathsMatcher, getTsconfig, type PathsMatcher } from 'get-tsconfig';
import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { isAbsolute } from 'node:path';
import { isSource, listSources } from './findModuleFormat.js';

/** Resolves the aliases of a project's tsconfig.json (`paths`, `baseUrl`) to files. */
export class Aliases {
  readonly #match: PathsMatcher | undefined;

  /** @param folder the folder from which tsconfig.json is searched upwards; an unreadable file has no aliases */
  constructor(folder: string) {
    try {
      const config = getTsconfig(folder);
      this.#match = (config === null ? null : createPathsMatcher(config)) ?? undefined;
    } catch {
      // The compiler of the project reads the file as well, and reports its errors.
    }
  }

  /** Resolves an import to a file; undefined for a path, a package, and an alias without a file. */
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

/** Finds the file of an alias target: a source, or the file that Node resolves, such as the main file of a folder. */
function findFile(target: string, resolve: (path: string) => string): string | undefined {
  // The JavaScript file is beside its declarations.
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

/** Reads the aliases of a project's tsconfig.json with their targets. Empty if it cannot be read. */
export function readAliases(folder: string): Readonly<Record<string, readonly string[]>> {
  try {
    return getTsconfig(folder)?.config.compilerOptions?.paths ?? {};
  } catch {
    return {};
  }
}

/** Finds the alias of an import that was not found; undefined if the import did not use an alias. */
export function findAlias(error: unknown, aliases: readonly string[]): string | undefined {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined;
  const name = /'([^']+)'/.exec(message ?? '')?.[1] ?? '';
  return aliases.find((alias) => {
    const [before = '', after] = alias.split('*');
    if (after === undefined) return name === alias;
    // For a package, Node names only the first one or two parts.
    return alias !== '*' && (name.startsWith(before) || before.startsWith(`${name}/`));
  });
}
