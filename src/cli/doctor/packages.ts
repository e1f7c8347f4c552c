import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestRunner } from '../init/ProjectKind.js';

/** What is read of a package.json. */
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

/** An installed copy of a package. */
export interface InstalledPackage {
  readonly folder: string;
  readonly version: string;
}

/** Reads a package.json; undefined if there is none that can be read. */
export function manifestIn(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** The copy of a package that a file of the project would import. */
export function installed(name: string, folder: string): InstalledPackage | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const place = join(at, 'node_modules', name);
    const version = existsSync(place) ? manifestIn(place)?.version : undefined;
    if (version !== undefined) return { folder: realpathSync(place), version };
    if (at === dirname(at)) return undefined;
  }
}

/** Every copy of a package below a project, also those that packages have for themselves. */
export function copiesOf(name: string, folder: string): readonly InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  const walk = (modules: string, depth: number): void => {
    const copy = join(modules, name);
    const version = existsSync(copy) ? manifestIn(copy)?.version : undefined;
    if (version !== undefined) found.set(realpathSync(copy), { folder: realpathSync(copy), version });
    if (depth === 0) return;
    for (const each of packagesIn(modules)) {
      const inner = join(each, 'node_modules');
      if (existsSync(inner)) walk(inner, depth - 1);
    }
  };
  const modules = join(folder, 'node_modules');
  if (existsSync(modules)) walk(modules, 3);
  return [...found.values()];
}

function packagesIn(modules: string): readonly string[] {
  return readdirSync(modules, { withFileTypes: true }).flatMap(({ name }) => {
    if (name.startsWith('.')) return [];
    const path = join(modules, name);
    return name.startsWith('@') ? readdirSync(path).map((inner) => join(path, inner)) : [path];
  });
}

/** The runner that `npm test` names, or else that is installed. */
export function runnerOf({ scripts = {}, dependencies, devDependencies }: Manifest = {}): TestRunner {
  const others = ['vitest', 'jest'] as const;
  const named = others.find((runner) => new RegExp(`\\b${runner}\\b`).test(scripts['test'] ?? ''));
  const installed = { ...dependencies, ...devDependencies };
  const isNode = /\bnode\b.*--test\b/.test(scripts['test'] ?? '');
  return named ?? (isNode ? undefined : others.find((runner) => runner in installed)) ?? 'node';
}
