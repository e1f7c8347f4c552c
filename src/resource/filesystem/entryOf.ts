import type { FileEntry } from '../../interface/Filesystem.js';

/** An entry of a directory, as it is listed. */
export function entryOf(name: string, path: string, isDirectory: boolean): FileEntry {
  return { name, path, isFile: !isDirectory, isDirectory };
}
