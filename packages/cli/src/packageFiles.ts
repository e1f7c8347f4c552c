import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Manifest } from './doctor/installedPackages.js';

const { resolve } = createRequire(import.meta.url);

/** Returns the path of a file of this command's package `toolwright`. */
export function findCoreFile(path: string): string {
  return join(dirname(resolve('toolwright/package.json')), path);
}

/** Reads the package.json of this command. */
export function readOwnManifest(): Manifest & { readonly version: string } {
  return JSON.parse(readOwn('package.json')) as Manifest & { readonly version: string };
}

export function readTemplate(path: string): string {
  return readOwn(`templates/${path}`);
}

function readOwn(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}
