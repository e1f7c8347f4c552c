import { FilesystemError } from '../error/FilesystemError.js';
import type { Filesystem } from '../interface/Filesystem.js';

/** True when a file stands at the path: a directory is none. */
export async function hasFile(filesystem: Filesystem, path: string): Promise<boolean> {
  try {
    return (await filesystem.stat(path)).isFile;
  } catch (error) {
    if (FilesystemError.is(error) && (error.kind === 'notFound' || error.kind === 'notDirectory')) return false;
    throw error;
  }
}
