import type { Glob, GlobState } from './Glob.js';
import { Directory, type StoredFile } from './tree.js';

/** A file found by a search. */
export interface FoundFile {
  readonly path: string;
  readonly file: StoredFile;
}

/**
 * Finds the files below a directory that a pattern matches, sorted by path.
 *
 * @param prefix the prefix of their paths: the directory's own path with a slash, or an empty string
 */
export function filesBelow(directory: Directory, prefix: string, glob: Glob): readonly FoundFile[] {
  const found: FoundFile[] = [];
  collect(directory, prefix, glob, glob.start, found);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function collect(directory: Directory, prefix: string, glob: Glob, state: GlobState, found: FoundFile[]): void {
  for (const [name, entry] of directory.entries) {
    const named = glob.read(state, name);
    if (!(entry instanceof Directory)) {
      if (named.accepts) found.push({ path: prefix + name, file: entry });
      continue;
    }
    const below = glob.read(named, '/');
    if (!below.isDead) collect(entry, `${prefix}${name}/`, glob, below, found);
  }
}
