import { FilesystemError } from '../error/FilesystemError.js';
import type { Filesystem } from '../interface/Filesystem.js';

/** Checks whether a file exists at the path; returns false for a directory. */
export async function fileExists(filesystem: Filesystem, path: string): Promise<boolean> {
  try {
    return (await filesystem.stat(path)).isFile;
  } catch (error) {
    if (error instanceof FilesystemError && (error.kind === 'notFound' || error.kind === 'notDirectory')) return false;
    throw error;
  }
}
