import { FilesystemError } from '../error/FilesystemError.js';
import type { Filesystem } from '../interface/Filesystem.js';

/** Returns true if there is a file at the path; false for a directory. */
export async function fileExists(filesystem: Filesystem, path: string): Promise<boolean> {
  try {
    return (await filesystem.stat(path)).isFile;
  } catch (error) {
    if (error instanceof FilesystemError && (error.kind === 'notFound' || error.kind === 'notDirectory')) return false;
    throw error;
  }
}
