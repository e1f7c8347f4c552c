import type { Glob } from './Glob.js';
import { sameContent, sameFoundBelow, sameNames, sameTree } from './sameness.js';
import { look, type Directory, type Names, type PathState } from './tree.js';

/**
 * What an answer of a filesystem depended on, at one path.
 *
 * - `kind`: a file, a directory, or nothing;
 * - `content`: the kind, and of a file its text;
 * - `names`: the kind, and of a directory the names in it;
 * - `tree`: everything below;
 * - `placeForFile`: whether a file can be written there, one that is there included;
 * - `placeForDirectory`: whether a directory can be made there, one that is there included.
 */
export type Aspect = 'kind' | 'content' | 'names' | 'tree' | 'placeForFile' | 'placeForDirectory';

/** A search below a directory (or in one file), whose answer depended on all that it could have found. */
export interface Search {
  readonly names: Names;
  readonly pattern: string;
  readonly glob: Glob;
  /** True when it looked into the files, too. */
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

/** What was observed of a filesystem, so that one can tell later whether it would be answered alike. */
export class Observations {
  readonly #aspects = new Map<Aspect, Map<string, Names>>();
  readonly #searches = new Map<string, Search>();

  /** False when it was noted before. */
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

  /** True when something that was observed in one state is different in the other. */
  differ(before: Directory, now: Directory): boolean {
    if (before === now) return false;
    for (const [aspect, seen] of this.#aspects)
      for (const names of seen.values()) if (!same[aspect](look(before, names), look(now, names))) return true;
    for (const search of this.#searches.values()) if (!sameAnswer(search, before, now)) return true;
    return false;
  }
}

/**
 * True when what was seen owes nothing to the origin, since the overlay itself has put it there or taken it away. What it
 * did depends on nothing that has not been noted, so it holds on any other origin, too.
 */
export function isOwn(aspect: Aspect, seen: PathState, origin: PathState): boolean {
  // The names of a directory of one's own may be joined by others, if it was made elsewhere as well.
  if (aspect === 'names' || aspect === 'tree') return false;
  return (aspect === 'content' && seen.entry !== origin.entry) || !same[aspect](seen, origin);
}

/** What stands at the place itself is an aspect of its own, and was noted as such. */
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
