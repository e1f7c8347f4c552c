import type { GrepMatch } from '../../interface/Filesystem.js';
import type { TimeSlice } from '../../common/TimeSlice.js';
import type { LinearPattern } from '../../schema/pattern/compileLinearPattern.js';
import type { FilePath } from './FilePath.js';
import { Glob } from './Glob.js';
import { findMatchesIn } from './lineSearch.js';
import { Directory, type StoredFile } from './tree.js';

export interface FoundFile {
  readonly path: string;
  readonly file: StoredFile;
}

/**
 * Finds the files below a directory that match a pattern, sorted by path. Yields `undefined` for every other entry; the
 * search may pause there.
 *
 * @param prefix the prefix of their paths: the directory's own path with a slash, or an empty string
 * @param above the directories between it and the ones to search, with a slash
 */
export function* listFilesBelow(
  directory: Directory,
  prefix: string,
  glob: Glob,
  above = '',
): Generator<FoundFile | undefined, void> {
  for (const [name, entry] of sortByPath(directory)) {
    const path = above + name;
    if (!(entry instanceof Directory)) {
      yield glob.matches(path) ? { path: prefix + path, file: entry } : undefined;
      continue;
    }
    yield undefined;
    if (glob.leadsInto(path)) yield* listFilesBelow(entry, prefix, glob, `${path}/`);
  }
}

/** Finds the files to search: those below a directory, or the file itself if its name matches. */
export function listFilesIn(entry: Directory | StoredFile, at: FilePath, glob: Glob): Iterable<FoundFile | undefined> {
  if (entry instanceof Directory) return listFilesBelow(entry, at.prefix, glob);
  return glob.matches(at.name) ? [{ path: at.text, file: entry }] : [];
}

/** Sorts entries like the paths of files: the name of a directory is followed by a slash. */
function sortByPath({ entries }: Directory): readonly (readonly [string, Directory | StoredFile])[] {
  const key = ([name, entry]: readonly [string, Directory | StoredFile]): string =>
    entry instanceof Directory ? `${name}/` : name;
  return [...entries].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Returns the text of every file by its path. The record has no prototype: a file called __proto__ would become it. */
export function readContents(root: Directory): Record<string, string> {
  const files = Object.create(null) as Record<string, string>;
  for (const found of listFilesBelow(root, '', new Glob('**')))
    if (found !== undefined) files[found.path] = found.file.content;
  return files;
}

/** Lists the paths of the files. Pauses between two entries. */
export async function listPaths(files: Iterable<FoundFile | undefined>, slice: TimeSlice): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const found of files) {
    if (found !== undefined) paths.push(found.path);
    if (slice.isOver) await slice.next();
  }
  return paths;
}

/** Lists the matches in the files, up to the requested number. Pauses between two entries and between two lines. */
export async function findMatches(
  files: Iterable<FoundFile | undefined>,
  expression: LinearPattern,
  most: number,
  slice: TimeSlice,
): Promise<readonly GrepMatch[]> {
  const matches: GrepMatch[] = [];
  if (most <= 0) return matches;
  for (const found of files) {
    if (slice.isOver) await slice.next();
    const text = found && { path: found.path, text: found.file.content };
    if (text !== undefined && (await collectMatches(text, expression, { matches, most, slice }))) break;
  }
  return matches;
}

/** Collects the matches in one text, and pauses between lines. @returns true if the requested number is reached */
export async function collectMatches(
  { path, text }: { readonly path: string; readonly text: string },
  expression: LinearPattern,
  { matches, most, slice }: { readonly matches: GrepMatch[]; readonly most: number; readonly slice: TimeSlice },
): Promise<boolean> {
  for (const match of findMatchesIn(text, expression)) {
    if (match !== undefined) matches.push({ path, ...match });
    if (matches.length >= most) return true;
    if (slice.isOver) await slice.next();
  }
  return false;
}
