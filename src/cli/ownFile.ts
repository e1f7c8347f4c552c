import { readFileSync } from 'node:fs';

/** The URL of a file of this package: the source stands as many folders below it as the bundle. */
export function ownFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}

/** Reads a template of `init` and `add`: sources and bundle both have them in a folder beside this file. */
export function readTemplate(path: string): string {
  return readFileSync(new URL(`./templates/${path}`, import.meta.url), 'utf8');
}
