import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from 'toolwright/internal/light';
import { CliError } from '../CliError.js';
import { detectTestRunner, type Manifest } from '../doctor/installedPackages.js';
import type { ProjectKind, TestRunner } from '../options.js';
import { readInputFile } from '../input.js';
import { MAX_PROJECT_SOURCES } from '../limits.js';
import type { ModuleFormat } from '../load/findModuleFormat.js';
import { readJson } from './jsonEdits.js';
import type { TsConfig } from './planSettings.js';

const TEST = /[.-](spec|test)\.[cm]?tsx?$/;

/** A TypeScript file of the project. */
export interface SourceFile {
  /** The path relative to the folder, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
}

/** The facts about an existing project that `add` needs. */
export interface Surroundings {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The text of package.json. */
  readonly manifestText: string;
  /** The text of tsconfig.json; undefined without one. */
  readonly configText: string | undefined;
  readonly kind: ProjectKind;
  readonly format: ModuleFormat;
  readonly runner: TestRunner;
  readonly sources: readonly SourceFile[];
  /** The ending of imports of other files: `.js`, `.ts` or nothing. */
  readonly extension: string;
  /** The package manager: `npm`, `pnpm`, `yarn` or `bun`. */
  readonly manager: string;
}

/** Reads the facts about a project without changing it. @throws CliError E967, E970 */
export function lookAround(folder: string): Surroundings {
  const path = 'package.json';
  if (!existsSync(join(folder, path))) {
    const remedy = 'Run it in the folder of the application; toolwright init writes a new project.';
    throw new CliError('there is no such file', { code: 'E970', place: path, remedy });
  }
  const manifestText = readInputFile(path, folder);
  const value = readJson(manifestText, path).value as Manifest | null;
  const manifest = isObject(value) ? value : {};
  const configText = existsSync(join(folder, 'tsconfig.json')) ? readInputFile('tsconfig.json', folder) : undefined;
  const config = (configText === undefined ? {} : readJson(configText, 'tsconfig.json').value) as TsConfig | null;
  const { module = '', moduleResolution = '' } = config?.compilerOptions ?? {};
  const isModule = manifest.type === 'module';
  const sources = [...findSources(folder)];
  const guessed = isModule && !/bundler/i.test(String(moduleResolution)) ? '.js' : '';
  return {
    folder,
    manifest,
    manifestText,
    configText,
    sources,
    kind: '@nestjs/core' in readPackages(manifest) ? 'nest' : 'plain',
    format: isModule || /^(?:es|preserve)/i.test(String(module)) ? 'module' : 'commonjs',
    runner: detectTestRunner(manifest),
    extension: chooseExtension(sources) ?? guessed,
    manager: detectPackageManager(folder),
  };
}

/** Lists every package that a manifest names, with its range. */
export function readPackages(manifest: Manifest): Readonly<Record<string, string>> {
  const { dependencies, devDependencies, peerDependencies } = manifest;
  return { ...peerDependencies, ...devDependencies, ...dependencies };
}

/** Yields the sources below a folder, except sources of other packages and builds. */
function* findSources(folder: string): Generator<SourceFile> {
  const waiting = [''];
  let left = MAX_PROJECT_SOURCES;
  for (let at = waiting.shift(); at !== undefined && left > 0; at = waiting.shift()) {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) {
        const isForeign = /^(?:\..*|node_modules|dist|build|coverage)$/.test(entry.name);
        if (!isForeign && !existsSync(join(folder, path, 'package.json'))) waiting.push(path);
      } else if (entry.isFile() && /(?<!\.d)\.[cm]?tsx?$/.test(path) && left-- > 0)
        yield { path, text: readFileSync(join(folder, path), 'utf8'), isTest: TEST.test(path) };
    }
  }
}

/** Returns the ending of the first import of another file, in files that Node does not run as tests. */
function chooseExtension(sources: readonly SourceFile[]): string | undefined {
  for (const { text } of sources.filter(({ isTest }) => !isTest)) {
    const found = /\bfrom\s*['"]\.{1,2}\/[^'"]*?(\.[cm]?[jt]s)?['"]/.exec(text);
    if (found !== null) return found[1] === undefined || found[1] === '.ts' ? (found[1] ?? '') : '.js';
  }
  return undefined;
}

/** Detects the package manager by the nearest lock file; npm without one. */
function detectPackageManager(folder: string): string {
  const locks = {
    'package-lock.json': 'npm',
    'pnpm-lock.yaml': 'pnpm',
    'yarn.lock': 'yarn',
    'bun.lock': 'bun',
    'bun.lockb': 'bun',
  };
  for (let at = folder; ; at = dirname(at)) {
    const found = Object.entries(locks).find(([name]) => existsSync(join(at, name)));
    if (found !== undefined) return found[1];
    if (at === dirname(at)) return 'npm';
  }
}

/** Returns the file name of the agent's test, with the ending that the project uses for tests. */
export function testNameOf({ sources, kind }: Surroundings): string {
  const ends = sources.flatMap(({ path }) => /\.(?:spec|test)\.[cm]?ts$/.exec(path)?.[0] ?? []);
  return `desk${ends[0] ?? (kind === 'nest' ? '.spec.ts' : '.test.ts')}`;
}
