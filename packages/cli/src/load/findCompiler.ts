import { createRequire } from 'node:module';
import { join } from 'node:path';
import type ts from 'typescript';

export type Compiler =
  | { readonly kind: 'typescript'; readonly name: string; readonly version: string; readonly api: typeof ts }
  | { readonly kind: 'swc'; readonly name: string; readonly version: string; readonly api: Swc };

/** The functions of `@swc/core` that are used. */
export interface Swc {
  readonly version: string;
  transformSync(text: string, options: object): { readonly code: string };
}

/** Describes the missing compiler of a project, and the package to install. */
export function describeMissingCompiler(folder: string): { readonly problem: string; readonly remedy: string } {
  const version = readVersion(folder);
  if (version === undefined)
    return { problem: 'the project has no compiler for TypeScript', remedy: 'npm install --save-dev typescript@6' };
  const problem = `typescript ${version} does not have an API for other programs`;
  return { problem, remedy: 'npm install --save-dev @typescript/typescript6' };
}

function readVersion(folder: string): string | undefined {
  try {
    const load = createRequire(join(folder, 'package.json'));
    return (load('typescript/package.json') as { readonly version: string }).version;
  } catch {
    return undefined;
  }
}

/** Loads the compiler of a project: typescript, its version 6 beside a version 7, or swc; undefined without one. */
export function findCompiler(folder: string): Compiler | undefined {
  const load = createRequire(join(folder, 'package.json'));
  const loaded = (name: string): unknown => {
    try {
      return load(name) as unknown;
    } catch {
      return undefined;
    }
  };
  for (const name of ['typescript', '@typescript/typescript6']) {
    const api = loaded(name) as typeof ts | undefined;
    // Version 7 of the package does not have this function.
    if (typeof api?.transpileModule === 'function') return { kind: 'typescript', name, version: api.version, api };
  }
  const swc = loaded('@swc/core') as Swc | undefined;
  return swc === undefined ? undefined : { kind: 'swc', name: '@swc/core', version: swc.version, api: swc };
}
