// A stamp is a hash of the content from which something was built, so that it is built again only when that content changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './process.mjs';

/** The hash of all the named files and folders, by path and content. */
export function fingerprint(paths, ...extra) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesUnder)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  for (const text of extra) hash.update(`\0${text}`);
  return hash.digest('hex');
}

export function isFresh(stamp, value) {
  const file = join(root, stamp);
  return existsSync(file) && readFileSync(file, 'utf8') === value;
}

export function writeStamp(stamp, value) {
  const file = join(root, stamp);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, value);
}

function filesUnder(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .filter((name) => name !== 'node_modules')
    .sort()
    .flatMap((name) => filesUnder(`${path}/${name}`));
}
