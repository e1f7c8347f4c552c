import type { Glob, GlobState } from './Glob.js';
import { Directory, StoredFile, type Entry } from './tree.js';

// Two states of a filesystem share what they have in common, so a part that is the same object needs no look.

type MaybeEntry = Entry | undefined;

/** True when both are directories with the same names in them, each of a file or each of a directory, or neither is one. */
export function sameNames(a: MaybeEntry, b: MaybeEntry): boolean {
  if (a === b || !(a instanceof Directory) || !(b instanceof Directory)) return true;
  return sameChildren(a, b, (_name, mine, yours) => kindOf(mine) === kindOf(yours));
}

/** True when both are files with the same text, or one of them is no file. */
export function sameContent(a: MaybeEntry, b: MaybeEntry): boolean {
  return a === b || !(a instanceof StoredFile) || !(b instanceof StoredFile) || a.content === b.content;
}

/** True when everything is the same, empty directories included. */
export function sameTree(a: MaybeEntry, b: MaybeEntry): boolean {
  if (a === b) return true;
  if (kindOf(a) !== kindOf(b)) return false;
  return a instanceof Directory && b instanceof Directory
    ? sameChildren(a, b, (_name, mine, yours) => sameTree(mine, yours))
    : sameContent(a, b);
}

/**
 * True when a search finds the same in both.
 *
 * @param state how far the pattern has read the way to them
 * @param byContent true when the search looks into the files that it finds
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

/** The same for the directory in which the search begins. */
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
