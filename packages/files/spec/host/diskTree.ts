import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** The entry at a path of the disk, as a test compares it. */
export type OnDisk =
  | { readonly file: string; readonly mode: number }
  | { readonly directory: true; readonly mode: number }
  | { readonly link: string }
  | { readonly special: true };

/** Everything below a folder by its path, links not followed; names and contents byte by byte. */
export function diskTree(folder: string): Readonly<Record<string, OnDisk>> {
  const tree: Record<string, OnDisk> = {};
  const collect = (prefix: string): void => {
    for (const name of readdirSync(bytes(folder, prefix), 'latin1').sort()) {
      const path = bytes(folder, prefix + name);
      const stats = lstatSync(path);
      tree[prefix + name] = onDisk(path, stats);
      if (stats.isDirectory()) collect(`${prefix}${name}/`);
    }
  };
  collect('');
  return tree;
}

function onDisk(path: Buffer, stats: Stats): OnDisk {
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { directory: true, mode };
  if (stats.isSymbolicLink()) return { link: readlinkSync(path, 'latin1') };
  return stats.isFile() ? { file: readFileSync(path, 'latin1'), mode } : { special: true };
}

function bytes(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(join(folder, '/')), Buffer.from(path, 'latin1')]);
}
