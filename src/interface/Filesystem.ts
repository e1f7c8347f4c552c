// A path is relative to the root of its filesystem: `/` separates names, `.` and empty names count for nothing, `..` goes
// up and stops at the root, a leading `/` changes nothing. Answers name paths without a leading `/`; the root is `/`.
// Names are compared as they are written: upper and lower case differ, and so do composed and decomposed letters.
// Errors are `FilesystemError`s; what each method may throw is listed by `kind`.

/** Which lines to read. */
export interface ReadOptions {
  /** How many lines to skip; 0 by default. More than there are means all of them. */
  readonly offset?: number | undefined;
  /** How many lines to read at most; 2,000 by default, -1 for all. */
  readonly limit?: number | undefined;
}

/** Lines of a file. */
export interface ReadResult {
  /** The lines, each with its own ending; only the `\n` after the last one is dropped. */
  readonly content: string;
  readonly path: string;
  /** Lines of the whole file. A `\n` ends a line, so `a\n` has one, and an empty file none. */
  readonly totalLines: number;
  /** The lines that were skipped. */
  readonly offset: number;
  /** The lines that were read. */
  readonly limit: number;
  /** True when lines follow. */
  readonly truncated: boolean;
}

/** `create` wants no file to be there, `overwrite` and `append` do not mind. */
export type WriteMode = 'create' | 'overwrite' | 'append';

/** How to write a file. */
export interface WriteOptions {
  /** `overwrite` by default. */
  readonly mode?: WriteMode | undefined;
  /** Makes the directories that are missing above the file; true by default. */
  readonly createParents?: boolean | undefined;
}

/** What was written. */
export interface WriteResult {
  readonly path: string;
  /** Length in UTF-8 of what was passed, not of what was there before. */
  readonly bytesWritten: number;
  readonly mode: WriteMode;
}

/** How to edit a file. */
export interface EditOptions {
  /** Replaces every occurrence; without it there must be exactly one. */
  readonly replaceAll?: boolean | undefined;
}

/** What was edited. */
export interface EditResult {
  readonly path: string;
  /** How many occurrences were replaced. */
  readonly replacements: number;
}

/** A name in a directory. */
export interface FileEntry {
  readonly name: string;
  readonly path: string;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

/** What stands at a path. */
export interface FileStat extends FileEntry {
  /** Length of the file in bytes of UTF-8; 0 for a directory. */
  readonly sizeBytes: number;
}

/** How to delete. */
export interface DeleteOptions {
  /** Deletes a directory with everything in it; without it, a directory must be empty. */
  readonly recursive?: boolean | undefined;
}

/** How to make a directory. */
export interface MkdirOptions {
  /** Makes the directories that are missing above it; true by default. */
  readonly parents?: boolean | undefined;
  /** Takes a directory that is there already for done; true by default. */
  readonly existOk?: boolean | undefined;
}

/** Where to look for names. */
export interface GlobOptions {
  /** The directory to look in, and that the pattern is relative to; the root by default. */
  readonly path?: string | undefined;
}

/** Where to look for text. */
export interface GrepOptions {
  /** The directory to look in, or a single file; the root by default. */
  readonly path?: string | undefined;
  /** Looks only into files that this pattern matches, as `glob` does; into all of them by default. */
  readonly glob?: string | undefined;
  /** How many matches to give at most; 1,000 by default. When fewer come, there are no more. */
  readonly maxMatches?: number | undefined;
}

/** A line with a match; further matches in the line are not told. */
export interface GrepMatch {
  readonly path: string;
  /** Number of the line, from 1. */
  readonly line: number;
  /** The line without its ending. */
  readonly text: string;
  /** Where in `text` the match begins, from 0, in UTF-16 units. */
  readonly start: number;
  /** Where in `text` the match ends, exclusive. */
  readonly end: number;
}

/** Everything in a filesystem at one moment; means something only to the filesystem that gave it. */
export interface FilesystemSnapshot {
  /** The class of the filesystem that gave it. */
  readonly filesystem: string;
}

/** Files as tools see them: text below one root that nothing leaves (docs/contract.md, 15). */
export abstract class Filesystem {
  /** Lines of a file. @throws FilesystemError notFound, isDirectory, notDirectory, invalidPath */
  abstract read(path: string, options?: ReadOptions): Promise<ReadResult>;
  /** Writes a file. @throws FilesystemError notFound (no parent), isDirectory, notDirectory, exists, invalidPath (the root) */
  abstract write(path: string, content: string, options?: WriteOptions): Promise<WriteResult>;
  /**
   * Replaces a text in a file by another one, character by character: neither of them is a pattern.
   *
   * @throws FilesystemError notFound, isDirectory, notDirectory, invalidPath; invalidPattern when the old text is empty,
   *   is not in the file, or is there more than once without `replaceAll`
   */
  abstract edit(path: string, oldText: string, newText: string, options?: EditOptions): Promise<EditResult>;
  /** What is in a directory (the root by default), sorted by name. @throws FilesystemError notFound, notDirectory, invalidPath */
  abstract list(path?: string): Promise<readonly FileEntry[]>;
  /** What stands at a path. @throws FilesystemError notFound, notDirectory, invalidPath */
  abstract stat(path: string): Promise<FileStat>;
  /** True for a file and for a directory. @throws FilesystemError invalidPath */
  abstract exists(path: string): Promise<boolean>;
  /**
   * Deletes a file or a directory; of the root, only what is in it.
   *
   * @throws FilesystemError notFound, notDirectory, invalidPath; isDirectory when it is not empty and `recursive` is not set
   */
  abstract delete(path: string, options?: DeleteOptions): Promise<void>;
  /** Makes a directory. @throws FilesystemError notFound (no parent), notDirectory, exists, invalidPath */
  abstract mkdir(path: string, options?: MkdirOptions): Promise<void>;
  /**
   * The paths of the files that a pattern matches, sorted. `*` stands for any part of a name, `?` for one character,
   * `[a-z]` and `[!a-z]` for one of these or of others, `{a,b}` for either, `**` between slashes for any number of
   * directories; `\` takes the meaning from the character after it. A pattern without a slash is matched with names at any
   * depth, a leading `/` ties it to the directory. A leading dot in a name is nothing special.
   *
   * @throws FilesystemError invalidPattern; notFound, notDirectory, invalidPath of `options.path`
   */
  abstract glob(pattern: string, options?: GlobOptions): Promise<readonly string[]>;
  /**
   * The lines that a JavaScript regular expression matches, by path and line.
   *
   * @throws FilesystemError invalidPattern, also for patterns whose time grows exponentially with the text;
   *   notFound, notDirectory, invalidPath of `options.path`
   */
  abstract grep(pattern: string, options?: GrepOptions): Promise<readonly GrepMatch[]>;
  /** Keeps everything as it is now, to be restored later. */
  abstract snapshot(): Promise<FilesystemSnapshot>;
  /** Puts everything back as it was: what came since is gone. @throws ResourceError E905 for a snapshot of another filesystem */
  abstract restore(snapshot: FilesystemSnapshot): Promise<void>;
}
