import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Splits `path#export`; the name of a file may hold `#` itself. */
export function splitAppPath(given: string, folder: string): { readonly path: string; readonly name?: string } {
  const at = given.lastIndexOf('#');
  if (at < 0 || existsSync(resolve(folder, given))) return { path: given };
  return { path: given.slice(0, at), name: given.slice(at + 1) };
}
