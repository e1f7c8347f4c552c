import { refusals } from './refusals.js';

/** Maximum size in bytes of a file of a filesystem that sets no other. */
export const MAX_FILE_BYTES = 10_000_000;

/** In characters, of all files in memory together, unless another maximum is set: what models write stays there. */
export const MAX_SIZE = 64_000_000;

/** What files in memory begin with, and how large they may become. */
export interface InMemoryFilesystemOptions {
  /** The text of each file by its path; directories are created as needed. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** In characters: all files together, each file and directory counting its name and 100 besides; 64,000,000 unless set. */
  readonly maxSize?: number | undefined;
}

/** Checks the size of a file before it is written. @throws FilesystemError invalidPath for a file that would be larger than allowed */
export function requireSize(path: string, bytes: number, most: number): void {
  if (bytes > most) throw refusals.wouldBeTooLarge(path, bytes, most);
}
