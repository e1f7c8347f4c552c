import type { Glob } from './Glob.js';
import { sameContent, sameFoundBelow, sameNames, sameTree } from './sameness.js';
import { look, type Directory, type Names, type PathState } from './tree.js';

/**
 * The aspect of one path that a result of a filesystem depended on.
 *
 * - `kind`: a file, a directory, or nothing;
 * - `content`: the kind, and of a file its text;
 * - `names`: the kind, and of a directory the names in it;
 * - `tree`: everything below;
 * - `placeForFile`: whether a file can be written there, or exists there;
 * - `placeForDirectory`: whether a directory can be created there, or exists there.
 */
export type Aspect = 'kind' | 'content' | 'names' | 'tree' | 'placeForFile' | 'placeForDirectory';

/** A search below a directory (or in one file), whose result depended on everything that it could have found. */
export interface Search {
  readonly names: Names;
  readonly pattern: string;
  readonly glob: Glob;
  /** True if it read the files, too. */
  readonly byContent: boolean;
}

const sameKind = (a: PathState, b: PathState): boolean => standing(a) === standing(b);

const same: Readonly<Record<Aspect, (a: PathState, b: PathState) => boolean>> = {
  kind: sameKind,
  content: (a, b) => sameKind(a, b) && sameContent(a.entry, b.entry),
  names: (a, b) => sameKind(a, b) && sameNames(a.entry, b.entry),
  tree: (a, b) => sameKind(a, b) && sameTree(a.entry, b.entry),
  placeForFile: (a, b) => placeFor('file', a) === placeFor('file', b),
  placeForDirectory: (a, b) => placeFor('directory', a) === placeFor('directory', b),
};

/** The observations made of a filesystem, for checking later if they would be the same. */
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

  /** True if an observation of one state would differ in the other. */
  differ(before: Directory, now: Directory): boolean {
    if (before === now) return false;
    for (const [aspect, seen] of this.#aspects)
      for (const names of seen.values()) if (!same[aspect](look(before, names), look(now, names))) return true;
    for (const search of this.#searches.values()) if (!sameAnswer(search, before, now)) return true;
    return false;
  }
}

/**
 * True if the observed state does not depend on the origin, because the overlay itself created or deleted it. All dependencies
 * of those changes have been recorded, so the observation holds on any other origin, too.
 */
export function isOwn(aspect: Aspect, seen: PathState, origin: PathState): boolean {
  // A directory created by the overlay may get further names, if it was created elsewhere as well.
  if (aspect === 'names' || aspect === 'tree') return false;
  return (aspect === 'content' && seen.entry !== origin.entry) || !same[aspect](seen, origin);
}

/** True if a search has the same result. The kind of the entry where it begins is recorded as an aspect of its own. */
function sameAnswer({ names, glob, byContent }: Search, before: Directory, now: Directory): boolean {
  const [a, b] = [look(before, names).entry, look(now, names).entry];
  return (!byContent || sameContent(a, b)) && sameFoundBelow(a, b, glob, glob.start, byContent);
}

function standing(sight: PathState): string {
  return sight.kind === 'blocked' ? `blocked by ${sight.by}` : sight.kind;
}

function placeFor(kind: 'file' | 'directory', sight: PathState): string {
  return sight.kind === 'missing' || sight.kind === kind ? 'free' : standing(sight);
}
