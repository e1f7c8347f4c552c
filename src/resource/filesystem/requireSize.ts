import { refusals } from './refusals.js';

/** The initial files in memory, and their maximum size. */
export interface InMemoryFilesystemOptions {
  /** The text of each file by its path. Directories are created as needed. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /**
   * Maximum number of characters of all files together, where each file and directory counts its name and 100 more;
   * 64,000,000 by default.
   */
  readonly maxSize?: number | undefined;
}

/**
 * Checks the size of a file before it is written.
 *
 * @throws FilesystemError invalidPath for a file that would be larger than allowed
 */
export function requireSize(path: string, bytes: number, most: number): void {
  if (bytes > most) throw refusals.wouldBeTooLarge(path, bytes, most);
}
