import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findMissingPackage } from 'toolwright/internal/light';
import { CliError } from '../CliError.js';
import type { ModuleFormat } from './findModuleFormat.js';

/** A package that a command needs and a project may lack. */
export interface NeededPackage {
  readonly name: string;
  /** The command and option that need it. */
  readonly place: string;
  /** The command that installs it; `npm install` by default. */
  readonly install?: string;
}

/**
 * Loads the project's copy of a package of Toolwright, because only that copy shares its classes with the application.
 *
 * @param format the format of the module that created the application: a package has one copy for `import` and one for `require`
 * @throws CliError E969
 */
export async function loadPackage<T>(
  folder: string,
  { name, place, install }: NeededPackage,
  format: ModuleFormat = 'commonjs',
): Promise<T> {
  try {
    const required = createRequire(join(folder, 'package.json')).resolve(name);
    // Both builds of an entry stand beside each other.
    const imported = required.replace(/\.cjs$/, '.mjs');
    const path = format === 'module' && existsSync(imported) ? imported : required;
    const loaded = (await import(pathToFileURL(path).href)) as { readonly default?: T };
    // An alias may lead to sources, whose exports Node finds only in `default` if they are compiled as CommonJS.
    const isNested = loaded.default !== undefined && Object.keys(loaded).length === 1;
    return isNested ? loaded.default : (loaded as T);
  } catch (cause) {
    const missing = findMissingPackage(cause);
    if (missing === undefined) throw cause;
    const remedy = `${install ?? 'npm install'} ${missing}`;
    throw new CliError(`${missing} is not installed`, { code: 'E969', place, remedy, cause });
  }
}
