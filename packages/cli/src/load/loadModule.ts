import { createRequire, register } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setSourceMapsEnabled } from 'node:process';
import { Aliases } from './aliases.js';
import { formatOf, isSource } from './formatOf.js';
import { Project } from './Project.js';
import { requireSources } from './requireSources.js';

/** Loads a module of the user, in JavaScript or TypeScript, as ES module or CommonJS. @throws what it throws; CliError E964 */
export async function loadModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!isSource(file)) return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  const folder = dirname(file);
  setSourceMapsEnabled(true);
  requireSources(new Project(folder), new Aliases(folder));
  register('./hooks.mjs', import.meta.url, { data: { folder } });
  if (formatOf(file) === 'commonjs') return createRequire(file)(file) as Readonly<Record<string, unknown>>;
  return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
}
