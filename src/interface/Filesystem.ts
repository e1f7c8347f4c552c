// A path is relative to the root of its filesystem: `/` separates names, `.` and empty names are ignored, `..` goes up
// and stops at the root, a leading `/` changes nothing. Results contain paths without a leading `/`; the root is `/`.
// Names are compared exactly: upper and lower case differ, and so do composed and decomposed letters. Methods throw
// `FilesystemError`; each lists its kinds.

/** Options of `read`. */
export interface ReadOptions {
  /** Number of lines to skip; 0 by default. May exceed the number of lines in the file. */
  readonly offset?: number | undefined;
  /** Maximum number of lines to read; 2,000 by default, -1 for all. */
  readonly limit?: number | undefined;
}

/** The result of `read`. */
export interface ReadResult {
  /** The lines, each with its own line ending; only the `\n` after the last one is dropped. */
  readonly content: string;
  readonly path: string;
  /** Number of lines in the whole file. A `\n` ends a line, so `a\n` has one line, and an empty file has none. */
  readonly totalLines: number;
  /** Number of lines skipped. */
  readonly offset: number;
  /** Number of lines read. */
  readonly limit: number;
  /** True if more lines follow. */
  readonly truncated: boolean;
}

/** The mode of a write; only `create` fails if the file exists. */
export type WriteMode = 'create' | 'overwrite' | 'append';

/** Options of `write`. */
export interface WriteOptions {
  /** `overwrite` by default. */
  readonly mode?: WriteMode | undefined;
  /** Creates missing parent directories; true by default. */
  readonly createParents?: boolean | undefined;
}

/** The result of `write`. */
export interface WriteResult {
  readonly path: string;
  /** Length of the passed content in bytes of UTF-8, without earlier content of the file. */
  readonly bytesWritten: number;
  readonly mode: WriteMode;
}

/** Options of `edit`. */
export interface EditOptions {
  /** Replaces every occurrence. By default, there must be exactly one. */
  readonly replaceAll?: boolean | undefined;
}

/** The result of `edit`. */
export interface EditResult {
  readonly path: string;
  /** Number of replaced occurrences. */
  readonly replacements: number;
}

/** An entry of a directory. */
export interface FileEntry {
  readonly name: string;
  readonly path: string;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

/** Information about the file or directory at a path. */
export interface FileStat extends FileEntry {
  /** Length of the file in bytes of UTF-8; 0 for a directory. */
  readonly sizeBytes: number;
}

/** Options of `delete`. */
export interface DeleteOptions {
  /** Deletes a directory with its contents. By default, a directory must be empty. */
  readonly recursive?: boolean | undefined;
}

/** Options of `mkdir`. */
export interface MkdirOptions {
  /** Creates missing parent directories; true by default. */
  readonly parents?: boolean | undefined;
  /** Accepts an existing directory; true by default. */
  readonly existOk?: boolean | undefined;
}

/** Options of `glob`. */
export interface GlobOptions {
  /** The directory to search, which the pattern is relative to; the root by default. */
  readonly path?: string | undefined;
  /** Aborts the search. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `grep`. */
export interface GrepOptions {
  /** The directory to search, or a single file; the root by default. */
  readonly path?: string | undefined;
  /** Searches only files that match this pattern, as in `glob`; all files by default. */
  readonly glob?: string | undefined;
  /** Maximum number of matches to return; 1,000 by default. If fewer are returned, the file or directory has no more. */
  readonly maxMatches?: number | undefined;
  /** Aborts the search. */
  readonly signal?: AbortSignal | undefined;
}

/** A line with its first match. Further matches in the line are not reported. */
export interface GrepMatch {
  readonly path: string;
  /** Number of the line, from 1. */
  readonly line: number;
  /** The line without its line ending. For a long line, only the beginning that was searched. */
  readonly text: string;
  /** Start of the match in `text`, from 0, in UTF-16 units. */
  readonly start: number;
  /** End of the match in `text`, exclusive. */
  readonly end: number;
}

/** The contents of a filesystem at one moment. Usable only with the filesystem that returned it. */
export interface FilesystemSnapshot {
  /** Name of the class of that filesystem. */
  readonly filesystem: string;
}

/** A filesystem for tools: text files below one root. No path can leave the root (docs/contract.md, 15). */
export abstract class Filesystem {
  /**
   * Reads lines of a file.
   *
   * @throws FilesystemError notFound, isDirectory, notDirectory, invalidPath
   */
  abstract read(path: string, options?: ReadOptions): Promise<ReadResult>;
  /**
   * Writes a file.
   *
   * @throws FilesystemError notFound (no parent), isDirectory, notDirectory, exists, invalidPath (the root, or a file
   * that would become too large)
   */
  abstract write(path: string, content: string, options?: WriteOptions): Promise<WriteResult>;
  /**
   * Replaces a text in a file by another one, character by character: neither text is a pattern.
   *
   * @throws FilesystemError notFound, isDirectory, notDirectory, invalidPath (also for a file that would become too
   * large); invalidPattern if the old text is empty, is not in the file, or occurs more than once without `replaceAll`
   */
  abstract edit(path: string, oldText: string, newText: string, options?: EditOptions): Promise<EditResult>;
  /**
   * Lists a directory (the root by default), sorted by name.
   *
   * @throws FilesystemError notFound, notDirectory, invalidPath
   */
  abstract list(path?: string): Promise<readonly FileEntry[]>;
  /**
   * Describes the file or directory at a path.
   *
   * @throws FilesystemError notFound, notDirectory, invalidPath
   */
  abstract stat(path: string): Promise<FileStat>;
  /**
   * Returns true if a file or directory exists at the path.
   *
   * @throws FilesystemError invalidPath
   */
  abstract exists(path: string): Promise<boolean>;
  /**
   * Deletes a file or a directory. For the root, deletes only its contents.
   *
   * @throws FilesystemError notFound, notDirectory, invalidPath; isDirectory if it is not empty and `recursive` is not
   * set
   */
  abstract delete(path: string, options?: DeleteOptions): Promise<void>;
  /**
   * Creates a directory.
   *
   * @throws FilesystemError notFound (no parent), notDirectory, exists, invalidPath
   */
  abstract mkdir(path: string, options?: MkdirOptions): Promise<void>;
  /**
   * Returns the sorted paths of the files that match a pattern. `*` matches any part of a name, `?` one character,
   * `[a-z]` and `[!a-z]` one character inside or outside the set, `{a,b}` either, `**` between slashes any number of
   * directories; `\` escapes the character after it. A pattern without a slash matches names at any depth, a leading
   * `/` anchors it to the directory. A leading dot in a name has no special meaning.
   *
   * @throws FilesystemError invalidPattern; notFound, notDirectory, invalidPath for `options.path`
   */
  abstract glob(pattern: string, options?: GlobOptions): Promise<readonly string[]>;
  /**
   * Returns the lines that match a JavaScript regular expression, sorted by path and line. The search takes linear time
   * and lets other work run in between. It covers the first 10,000 characters of a line, fewer for a pattern of more
   * than 25 parts.
   *
   * @throws FilesystemError invalidPattern, also for lookarounds, back references, and more than 2,000 parts after
   * repetitions are written out; notFound, notDirectory, invalidPath for `options.path`; the reason of `options.signal`
   * when it is aborted
   */
  abstract grep(pattern: string, options?: GrepOptions): Promise<readonly GrepMatch[]>;
  /** Saves the current contents, so that they can be restored later. */
  abstract snapshot(): Promise<FilesystemSnapshot>;
  /**
   * Restores a snapshot and discards later changes.
   *
   * @throws ResourceError E905 for a snapshot of another filesystem
   */
  abstract restore(snapshot: FilesystemSnapshot): Promise<void>;
}
