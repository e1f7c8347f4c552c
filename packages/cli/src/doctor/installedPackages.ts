import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestRunner } from '../options.js';

/** The fields of a package.json that are read. */
export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly type?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface InstalledPackage {
  readonly name: string;
  readonly folder: string;
  readonly version: string;
  readonly manifest: Manifest;
}

/** Reads a package.json. Returns undefined if it is missing or unreadable. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** Finds the copy of a package that a file of the project would import. */
export function findInstalled(name: string, folder: string): InstalledPackage | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = readPackage(join(at, 'node_modules'), name);
    if (found !== undefined) return found;
    if (at === dirname(at)) return undefined;
  }
}

function readPackage(modules: string, name: string): InstalledPackage | undefined {
  const place = join(modules, name);
  const manifest = existsSync(place) ? readManifest(place) : undefined;
  if (manifest?.version === undefined) return undefined;
  return { name, folder: realpathSync(place), version: manifest.version, manifest };
}

/** Finds the Toolwright packages that a file of the project would import. */
export function findToolwrightPackages(folder: string): readonly InstalledPackage[] {
  const names = new Set(['toolwright']);
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const scope = join(at, 'node_modules/@toolwright');
    if (existsSync(scope)) for (const name of readdirSync(scope)) names.add(`@toolwright/${name}`);
  }
  return [...names].flatMap((name) => findInstalled(name, folder) ?? []);
}

/** Finds every copy of the named packages below a project, nested copies included, by name. */
export function findCopies(names: readonly string[], folder: string): ReadonlyMap<string, readonly InstalledPackage[]> {
  const found = new Map<string, InstalledPackage>();
  const walk = (modules: string, depth: number): void => {
    for (const name of names) {
      const copy = readPackage(modules, name);
      if (copy !== undefined) found.set(copy.folder, copy);
    }
    if (depth === 0) return;
    for (const each of listPackages(modules)) {
      const inner = join(each, 'node_modules');
      if (existsSync(inner)) walk(inner, depth - 1);
    }
  };
  const modules = join(folder, 'node_modules');
  if (existsSync(modules)) walk(modules, 3);
  const copies = [...found.values()];
  return new Map(names.map((name) => [name, copies.filter((copy) => copy.name === name)]));
}

function listPackages(modules: string): readonly string[] {
  return readdirSync(modules, { withFileTypes: true }).flatMap(({ name }) => {
    if (name.startsWith('.')) return [];
    const path = join(modules, name);
    return name.startsWith('@') ? readdirSync(path).map((inner) => join(path, inner)) : [path];
  });
}

/** Detects the test runner: the one that `npm test` names, or else an installed one. */
export function detectTestRunner({ scripts = {}, dependencies, devDependencies }: Manifest = {}): TestRunner {
  const others = ['vitest', 'jest'] as const;
  const named = others.find((runner) => new RegExp(`\\b${runner}\\b`).test(scripts['test'] ?? ''));
  const installed = { ...dependencies, ...devDependencies };
  const isNode = /\bnode\b.*--test\b/.test(scripts['test'] ?? '');
  return named ?? (isNode ? undefined : others.find((runner) => runner in installed)) ?? 'node';
}

/** The result of one check of the doctor. */
export interface Diagnosis {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** The remedy; undefined if there is no problem. */
  readonly remedy?: string | undefined;
}

export function createGoodDiagnosis(name: string, message: string): Diagnosis {
  return { name, status: 'ok', message };
}
