import type { Glob, GlobState } from './Glob.js';
import { Directory, StoredFile, type Entry } from './tree.js';

// Two states of a filesystem share their common parts, so parts that are the same object need not be compared.

type MaybeEntry = Entry | undefined;

/** True unless both are directories that differ in their names, or in the kind of an entry. */
export function sameNames(a: MaybeEntry, b: MaybeEntry): boolean {
  if (a === b || !(a instanceof Directory) || !(b instanceof Directory)) return true;
  return sameChildren(a, b, (_name, mine, yours) => kindOf(mine) === kindOf(yours));
}

/** True unless both are files with different texts. */
export function sameContent(a: MaybeEntry, b: MaybeEntry): boolean {
  return a === b || !(a instanceof StoredFile) || !(b instanceof StoredFile) || a.content === b.content;
}

/** True if everything is the same, including empty directories. */
export function sameTree(a: MaybeEntry, b: MaybeEntry): boolean {
  if (a === b) return true;
  if (kindOf(a) !== kindOf(b)) return false;
  return a instanceof Directory && b instanceof Directory
    ? sameChildren(a, b, (_name, mine, yours) => sameTree(mine, yours))
    : sameContent(a, b);
}

/**
 * True if a search finds the same in both.
 *
 * @param state the state of the pattern after reading the path to them
 * @param byContent true if the search reads the files that it finds
 */
function sameFound(a: MaybeEntry, b: MaybeEntry, glob: Glob, state: GlobState, byContent: boolean): boolean {
  if (a === b) return true;
  if (state.accepts) {
    if (a instanceof StoredFile !== b instanceof StoredFile) return false;
    if (byContent && !sameContent(a, b)) return false;
  }
  const below = glob.read(state, '/');
  return below.isDead || sameFoundBelow(a, b, glob, below, byContent);
}

/** Like `sameFound`, for the directory in which the search begins. */
export function sameFoundBelow(
  a: MaybeEntry,
  b: MaybeEntry,
  glob: Glob,
  state: GlobState,
  byContent: boolean,
): boolean {
  return sameChildren(directoryOf(a), directoryOf(b), (name, mine, yours) =>
    sameFound(mine, yours, glob, glob.read(state, name), byContent),
  );
}

function sameChildren(
  a: Directory,
  b: Directory,
  same: (name: string, a: MaybeEntry, b: MaybeEntry) => boolean,
): boolean {
  if (a === b) return true;
  for (const [name, entry] of a.entries) if (!same(name, entry, b.entries.get(name))) return false;
  for (const [name, entry] of b.entries)
    if (a.entries.get(name) === undefined && !same(name, undefined, entry)) return false;
  return true;
}

function kindOf(entry: MaybeEntry): 'file' | 'directory' | 'missing' {
  if (entry === undefined) return 'missing';
  return entry instanceof Directory ? 'directory' : 'file';
}

function directoryOf(entry: MaybeEntry): Directory {
  return entry instanceof Directory ? entry : Directory.empty;
}
