import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type * as toolwright from 'toolwright';
import type { Application, ModelAdapter, RunMetadata, Session } from 'toolwright';
import { didYouMean, messageOf } from 'toolwright/internal/light';
import type { Approver } from 'toolwright/policies';
import type { Runs } from '@toolwright/durable';
import { CliError } from '../CliError.js';
import { splitAppPath } from '../input.js';
import { readAliases, findAlias, Aliases } from './aliases.js';
import { isSource, findModuleFormat, type ModuleFormat } from './findModuleFormat.js';
import { loadPackage } from './loadPackage.js';
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setSourceMapsEnabled } from 'node:process';
import { Project } from './Project.js';
import { requireSources } from './requireSources.js';

/** The remedy for an alias in built files. */
const ALIAS_REMEDY = 'Use "imports" of package.json (#app/…), which Node follows';

const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];

/** An application and the other exports of the user's module that the command line uses. */
export interface Loaded {
  readonly app: Application;
  /** The metadata of the command's runs, from `--metadata`. */
  readonly runMetadata: RunMetadata;
  /** The file, relative to the working folder. */
  readonly place: string;
  /** The format of the file. Packages have another copy of their classes for each format. */
  readonly format: ModuleFormat;
  /** Creates a session, with the module's export `session` if it has one. */
  readonly session: () => Promise<Session>;
  readonly adapter: () => Promise<ModelAdapter | undefined>;
  /** The methods of durable runs that the inspector uses, if the module exports durable runs. */
  readonly runs: () => Promise<Pick<Runs, 'acrossTenants' | 'forTenant'> | undefined>;
  /** Returns another export of the module; a function is called with the input. */
  readonly read: (name: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** The input of a function that creates an application for the command line. */
export interface ConfigInput {
  /** Asks the person at the terminal. Pass it to `createApplication`. */
  readonly approver: Approver;
  /** The entries of `--metadata`, such as `{ user: '1' }`. They are set on every run of the command and passed to the function `session`. */
  readonly runMetadata: RunMetadata;
  /** Set by `prove`: a new folder for the data of one application, which a process that continues a killed one gets again. */
  readonly dataFolder?: string | undefined;
}

type Entries = Readonly<Record<string, unknown>>;

/**
 * Loads the application of a project: from `--app path#export`, or from its toolwright.config.ts.
 *
 * @throws CliError E961-E964, and the findings of its declarations, unchanged
 */
export async function loadApplication(given: string | undefined, folder: string, input: ConfigInput): Promise<Loaded> {
  const open = await loadFactory(given, folder);
  return open(input);
}

/**
 * Loads the module once, and returns a function that creates its application: another one each time, if the module exports a function.
 *
 * @throws CliError E961-E964; the returned function: E962, E963, and the findings of the declarations
 */
export async function loadFactory(
  given: string | undefined,
  folder: string,
): Promise<(input: ConfigInput) => Promise<Loaded>> {
  const loaded = await loadExports(given, folder);
  return (input) => openApplication(loaded, input);
}

async function openApplication({ file, name, place, exported }: LoadedModule, input: ConfigInput): Promise<Loaded> {
  const value = exportOf(exported, name, place);
  const made = await nameModuleInErrors(place, dirname(file), async () => (isFactory(value) ? value(input) : value));
  const app = isApplication(made) ? made : (made as Entries | null | undefined)?.['app'];
  if (!isApplication(app)) throw new CliError(`${name ?? 'its export'} gives no application`, { code: 'E962', place });
  const format = findModuleFormat(file);
  const parts: Entries = { ...exported, ...(app === made ? {} : (made as Entries)) };
  return {
    app,
    runMetadata: input.runMetadata,
    place,
    format,
    session: async () => {
      const own = (await valueOf(parts['session'], input)) as Session | undefined;
      if (own !== undefined) return own;
      const core = await loadPackage<typeof toolwright>(dirname(file), { name: 'toolwright', place }, format);
      return new core.Session();
    },
    adapter: async () => (await valueOf(parts['adapter'])) as ModelAdapter | undefined,
    runs: async () => (await valueOf(parts['runs'])) as Awaited<ReturnType<Loaded['runs']>>,
    read: (part) => valueOf(parts[part], input),
    close: async () => {
      const close = app === made ? undefined : parts['close'];
      await (typeof close === 'function' ? (close as () => unknown).call(made) : app.close());
    },
  };
}

/** The exports of the module of a project. */
export interface LoadedModule {
  readonly file: string;
  /** The export that `--app` names. */
  readonly name?: string | undefined;
  /** The file, relative to the working folder. */
  readonly place: string;
  readonly exported: Entries;
}

/** Loads the module of `--app`, or toolwright.config.ts. @throws CliError E961, E963, E964 */
export async function loadExports(given: string | undefined, folder: string): Promise<LoadedModule> {
  const { file, name } = fileOf(given, folder);
  const place = relative(folder, file) || file;
  const exported = await nameModuleInErrors(place, dirname(file), () => loadModule(file));
  return { file, name, place, exported };
}

function fileOf(given: string | undefined, folder: string): { readonly file: string; readonly name?: string } {
  if (given === undefined) {
    const found = EXTENSIONS.map((extension) => resolve(folder, `toolwright.config.${extension}`)).find(existsSync);
    if (found !== undefined) return { file: found };
    throw new CliError('there is no toolwright.config.ts here', { code: 'E961', place: folder });
  }
  const { path, name } = splitAppPath(given, folder);
  const file = resolve(folder, path);
  if (!existsSync(file)) throw new CliError('there is no such file', { code: 'E961', place: path });
  return name === undefined || name === '' ? { file } : { file, name };
}

/** Returns the named export, or else `default`, then `app`. Imported CommonJS modules have all exports in `default`. */
function exportOf(module: Entries, name: string | undefined, place: string): unknown {
  const inner = module['default'] as Entries | undefined;
  const isNested = typeof inner === 'object' && !isApplication(inner) && ('default' in inner || 'app' in inner);
  const exported = isNested && !('app' in module) ? inner : module;
  if (name !== undefined) {
    if (Object.hasOwn(exported, name)) return exported[name];
    const near = didYouMean(name, Object.keys(exported));
    throw new CliError(`it has no export ${name}.${near}`, { code: 'E962', place });
  }
  const value = exported['default'] ?? exported['app'];
  if (value !== undefined) return value;
  const names = Object.keys(exported).join(', ');
  throw new CliError(`it exports neither default nor app${names === '' ? '' : `, but ${names}`}`, {
    code: 'E962',
    place,
  });
}

function isFactory(value: unknown): value is (input: ConfigInput) => unknown {
  return typeof value === 'function' && !isApplication(value);
}

function isApplication(value: unknown): value is Application {
  return typeof (value as Partial<Application> | null | undefined)?.callTools === 'function';
}

async function valueOf(given: unknown, input?: ConfigInput): Promise<unknown> {
  return typeof given === 'function' ? (given as (input?: ConfigInput) => unknown)(input) : given;
}

/** Adds the name of the module to errors that are not Toolwright's own. @param folder the folder of the module */
async function nameModuleInErrors<T>(place: string, folder: string, load: () => T | Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (cause instanceof CliError || isCoded(cause)) throw cause;
    const aliases = readAliases(folder);
    const alias = findAlias(cause, Object.keys(aliases));
    if (alias !== undefined) throw createNotFoundError(alias, aliases[alias] ?? [], place, cause);
    throw new CliError(`${messageOf(cause)}${locateError(cause)}`, { code: 'E963', place, cause });
  }
}

function createNotFoundError(alias: string, targets: readonly string[], place: string, cause: unknown): CliError {
  const { requireStack } = cause as { readonly requireStack?: readonly string[] };
  const [first = ''] = messageOf(cause).split('\n');
  const missing = requireStack === undefined ? first : `${first} imported from ${requireStack[0] ?? ''}`;
  const said = `${missing}: the alias ${alias} of tsconfig.json`;
  if (isSource(place)) {
    const remedy = `Correct the import, or paths["${alias}"].`;
    const problem = `${said} leads to no file (${targets.join(', ')})`;
    return new CliError(problem, { code: 'E963', place, remedy, cause });
  }
  const remedy = `${ALIAS_REMEDY}, or name the source: --app src/app.ts.`;
  return new CliError(`${said} works in sources, not in built files`, { code: 'E963', place, remedy, cause });
}

function isCoded(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && /^E\d{3}$/.test(code);
}

/** Finds the first place of the user's own code in a stack trace. */
function locateError(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const line = stack
    .split('\n')
    .find((each) => /^\s+at /.test(each) && !/node:|node_modules|[\\/]dist[\\/]cli[\\/]/.test(each));
  return line === undefined ? '' : ` (${line.trim()})`;
}

/** Loads a module of the user: JavaScript or TypeScript, ES module or CommonJS. @throws its own errors, unchanged; CliError E964 */
async function loadModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!isSource(file)) return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  const folder = dirname(file);
  setSourceMapsEnabled(true);
  requireSources(new Project(folder), new Aliases(folder));
  register('./hooks.mjs', import.meta.url, { data: { folder } });
  if (findModuleFormat(file) === 'commonjs') return createRequire(file)(file) as Readonly<Record<string, unknown>>;
  return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
}
