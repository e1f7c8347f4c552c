import type { Glob } from './Glob.js';
import { findEntry, getDirectory, Directory, type Names, type PathState, StoredFile, type Entry } from './tree.js';

/**
 * The aspect of a path that a result depended on.
 *
 * - `kind`: a file, a directory, or nothing;
 * - `content`: the kind, and the text of a file;
 * - `names`: the kind, and the names in a directory;
 * - `tree`: everything below;
 * - `placeForFile`: whether a file can be written or exists there;
 * - `placeForDirectory`: whether a directory can be created or exists there.
 */
export type Aspect = 'kind' | 'content' | 'names' | 'tree' | 'placeForFile' | 'placeForDirectory';

/** A search below a directory (or in one file). Its result depends on everything that it could have found. */
export interface Search {
  readonly names: Names;
  readonly pattern: string;
  readonly glob: Glob;
  /** True if it read the files, too. */
  readonly byContent: boolean;
}

const sameKind = (a: PathState, b: PathState): boolean => describeState(a) === describeState(b);

const same: Readonly<Record<Aspect, (a: PathState, b: PathState) => boolean>> = {
  kind: sameKind,
  content: (a, b) => sameKind(a, b) && haveSameContent(a.entry, b.entry),
  names: (a, b) => sameKind(a, b) && haveSameNames(a.entry, b.entry),
  tree: (a, b) => sameKind(a, b) && areSameTrees(a.entry, b.entry),
  placeForFile: (a, b) => getPlace('file', a) === getPlace('file', b),
  placeForDirectory: (a, b) => getPlace('directory', a) === getPlace('directory', b),
};

/** The observations of a filesystem, which can later be compared with another state. */
export class Observations {
  readonly #aspects = new Map<Aspect, Map<string, Names>>();
  readonly #searches = new Map<string, Search>();

  /** Records an observation; returns false if it was recorded before. */
  note(aspect: Aspect, names: Names): boolean {
    let seen = this.#aspects.get(aspect);
    if (seen === undefined) this.#aspects.set(aspect, (seen = new Map<string, Names>()));
    const key = names.join('/');
    if (seen.has(key)) return false;
    seen.set(key, names);
    return true;
  }

  noteSearch(search: Search): void {
    this.#searches.set(JSON.stringify([search.names, search.pattern, search.byContent]), search);
  }

  /** Returns true if an observation of one state would differ in the other. */
  differ(before: Directory, now: Directory): boolean {
    if (before === now) return false;
    for (const [aspect, seen] of this.#aspects)
      for (const names of seen.values())
        if (!same[aspect](findEntry(before, names), findEntry(now, names))) return true;
    for (const search of this.#searches.values()) if (!hasSameAnswer(search, before, now)) return true;
    return false;
  }
}

/**
 * Returns true if the observed state does not depend on the origin, because the overlay itself created or deleted it.
 * All dependencies of those changes are recorded, so the observation holds on any other origin, too.
 */
export function isOwn(aspect: Aspect, seen: PathState, origin: PathState): boolean {
  // A directory created by the overlay may get further names if it was also created elsewhere.
  if (aspect === 'names' || aspect === 'tree') return false;
  return (aspect === 'content' && seen.entry !== origin.entry) || !same[aspect](seen, origin);
}

/** Returns true if a search finds the same in both states. The kind of the entry where it begins is compared separately. */
function hasSameAnswer({ names, glob, byContent }: Search, before: Directory, now: Directory): boolean {
  const [a, b] = [findEntry(before, names).entry, findEntry(now, names).entry];
  return (!byContent || haveSameContent(a, b)) && findsSameBelow(a, b, { glob, byContent }, '');
}

function describeState(sight: PathState): string {
  return sight.kind === 'blocked' ? `blocked by ${sight.by}` : sight.kind;
}

function getPlace(kind: 'file' | 'directory', sight: PathState): string {
  return sight.kind === 'missing' || sight.kind === kind ? 'free' : describeState(sight);
}

// Two states of a filesystem share their common parts, so identical objects need not be compared.

type MaybeEntry = Entry | undefined;

/** Returns false for two directories that differ in their names or in the kind of an entry. */
function haveSameNames(a: MaybeEntry, b: MaybeEntry): boolean {
  if (a === b || !(a instanceof Directory) || !(b instanceof Directory)) return true;
  return haveSameChildren(a, b, (_name, mine, yours) => getKind(mine) === getKind(yours));
}

function haveSameContent(a: MaybeEntry, b: MaybeEntry): boolean {
  return a === b || !(a instanceof StoredFile) || !(b instanceof StoredFile) || a.content === b.content;
}

/** Returns true if everything is the same, including empty directories. */
function areSameTrees(a: MaybeEntry, b: MaybeEntry): boolean {
  if (a === b) return true;
  if (getKind(a) !== getKind(b)) return false;
  return a instanceof Directory && b instanceof Directory
    ? haveSameChildren(a, b, (_name, mine, yours) => areSameTrees(mine, yours))
    : haveSameContent(a, b);
}

/**
 * Returns true if a search finds the same in both.
 *
 * @param path their path from the directory where the search begins
 */
function findsSame(
  a: MaybeEntry,
  b: MaybeEntry,
  { glob, byContent }: Pick<Search, 'glob' | 'byContent'>,
  path: string,
): boolean {
  if (a === b) return true;
  if (glob.matches(path)) {
    if (a instanceof StoredFile !== b instanceof StoredFile) return false;
    if (byContent && !haveSameContent(a, b)) return false;
  }
  return !glob.leadsInto(path) || findsSameBelow(a, b, { glob, byContent }, `${path}/`);
}

/** Like `findsSame`, for the directory in which the search begins. */
function findsSameBelow(
  a: MaybeEntry,
  b: MaybeEntry,
  search: Pick<Search, 'glob' | 'byContent'>,
  above: string,
): boolean {
  return haveSameChildren(getDirectory(a), getDirectory(b), (name, mine, yours) =>
    findsSame(mine, yours, search, above + name),
  );
}

function haveSameChildren(
  a: Directory,
  b: Directory,
  same: (name: string, a: MaybeEntry, b: MaybeEntry) => boolean,
): boolean {
  if (a === b) return true;
  for (const name of a.entries.differences(b.entries))
    if (!same(name, a.entries.get(name), b.entries.get(name))) return false;
  return true;
}

function getKind(entry: MaybeEntry): 'file' | 'directory' | 'missing' {
  if (entry === undefined) return 'missing';
  return entry instanceof Directory ? 'directory' : 'file';
}
