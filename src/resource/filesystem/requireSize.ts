import { refusals } from './refusals.js';

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
