import type { FilePath, Glob, TimeSlice } from 'toolwright/internal';
import { isErrno } from './errno.js';
import type { EntryKind, HostEntry } from './HostEntry.js';
import { isHidden, decodeHostName, type HostName } from './hostName.js';
import { readText } from './readText.js';

export interface ShownName {
  readonly text: string;
  readonly name: HostName;
  readonly kind: EntryKind;
}

/** A file found by a search. Its directory is open until the search continues. */
export interface FoundFile {
  readonly path: string;
  readonly directory: HostEntry;
  readonly name: HostName;
}

export interface FoundText {
  readonly path: string;
  readonly text: string;
}

/** Lists a directory, unsorted, without hidden names and names that are not UTF-8. */
export async function listShownNames(directory: HostEntry): Promise<readonly ShownName[]> {
  return (await directory.listChildren()).flatMap(({ name, kind }) => {
    const text = isHidden(name) ? undefined : decodeHostName(name);
    return text === undefined ? [] : [{ text, name, kind }];
  });
}

/**
 * Finds the files below a directory that a pattern matches, sorted by path. Links are not followed; unreadable directories are
 * skipped.
 *
 * @param prefix the prefix of the paths: the path of the directory with a slash, or an empty string
 * @param slice lets other work run between two entries
 * @param above the path from the directory to the searched one, with a slash
 */
export async function* findFiles(
  directory: HostEntry,
  prefix: string,
  glob: Glob,
  slice: TimeSlice,
  above = '',
): AsyncGenerator<FoundFile, void> {
  for (const { text, name, kind } of await listSortedNames(directory)) {
    if (slice.isOver) await slice.next();
    const path = above + text;
    if (kind === 'file' && glob.matches(path)) yield { path: prefix + path, directory, name };
    if (kind !== 'directory' || !glob.leadsInto(path)) continue;
    const entry = await directory.child(name);
    try {
      if (entry?.kind === 'directory') yield* findFiles(entry, prefix, glob, slice, `${path}/`);
    } finally {
      await entry?.close();
    }
  }
}

/**
 * Yields the text of a file, or the texts of all files below a directory with paths that match a pattern, sorted by path. Files that
 * are not text, too large, or unreadable are skipped.
 *
 * @param at the path of the file or directory
 * @param limits `most`: the most bytes of a file; `slice`: lets other work run between two entries
 */
export async function* findTexts(
  entry: HostEntry,
  at: FilePath,
  glob: Glob,
  { most, slice }: { readonly most: number; readonly slice: TimeSlice },
): AsyncGenerator<FoundText, void> {
  if (entry.kind === 'file') {
    const text = glob.matches(at.name) ? await readTextIfReadable(entry, most) : undefined;
    if (text !== undefined) yield { path: at.text, text };
    return;
  }
  for await (const { path, directory, name } of findFiles(entry, at.prefix, glob, slice)) {
    const file = await directory.child(name);
    try {
      const text = file?.kind === 'file' ? await readTextIfReadable(file, most) : undefined;
      if (text !== undefined) yield { path, text };
    } finally {
      await file?.close();
    }
  }
}

async function readTextIfReadable(file: HostEntry, most: number): Promise<string | undefined> {
  try {
    return (await readText(file, most)).text;
  } catch (error) {
    if (isErrno(error, 'EACCES')) return undefined;
    throw error;
  }
}

/** Lists names, sorted like paths of files: a directory counts with the slash after its name. */
async function listSortedNames(directory: HostEntry): Promise<readonly ShownName[]> {
  const key = ({ text, kind }: ShownName): string => (kind === 'directory' ? `${text}/` : text);
  try {
    return [...(await listShownNames(directory))].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  } catch (error) {
    if (isErrno(error, 'EACCES')) return [];
    throw error;
  }
}
