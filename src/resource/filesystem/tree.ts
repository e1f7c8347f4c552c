import { countLines } from './lines.js';
import { SortedMap } from '../SortedMap.js';

/** The names from the root on; none for the root itself. */
export type Names = readonly string[];

/** A file; immutable, so that a change of its content creates a new one. */
export class StoredFile {
  readonly content: string;
  #lines: number | undefined;
  #bytes: number | undefined;

  constructor(content: string) {
    this.content = content;
  }

  /** Counted once, since otherwise reading a long file page by page would take quadratic time. */
  get lines(): number {
    return (this.#lines ??= countLines(this.content));
  }

  get bytes(): number {
    return (this.#bytes ??= Buffer.byteLength(this.content));
  }
}

/** A directory with everything below it; immutable, so that any number of states share their common parts. */
export class Directory {
  static readonly empty = new Directory(SortedMap.empty);

  readonly entries: SortedMap<Entry>;

  constructor(entries: SortedMap<Entry>) {
    this.entries = entries;
  }
}

export type Entry = StoredFile | Directory;

/** The state of a path; `blocked` means that a file is where a directory would have to be. */
export type PathState =
  | { readonly kind: 'file'; readonly entry: StoredFile }
  | { readonly kind: 'directory'; readonly entry: Directory }
  | { readonly kind: 'missing'; readonly entry?: undefined }
  | { readonly kind: 'blocked'; readonly entry?: undefined; readonly by: string };

export function look(root: Directory, names: Names): PathState {
  let directory = root;
  for (const [depth, name] of names.entries()) {
    const entry = directory.entries.get(name);
    if (entry === undefined) return { kind: 'missing' };
    if (entry instanceof Directory) directory = entry;
    else if (depth === names.length - 1) return { kind: 'file', entry };
    else return { kind: 'blocked', by: names.slice(0, depth + 1).join('/') };
  }
  return { kind: 'directory', entry: directory };
}

/** Returns the tree with a file at the path, replacing anything there; creates missing parent directories. */
export function withFile(root: Directory, names: Names, file: StoredFile): Directory {
  return placed(root, names, file);
}

/** Returns the tree with a directory at the path: the existing one, or an empty one. */
export function withDirectory(root: Directory, names: Names): Directory {
  return look(root, names).kind === 'directory' ? root : placed(root, names, Directory.empty);
}

/** Returns the tree without the entry at the path; an empty one for the path of the root. */
export function without(root: Directory, names: Names): Directory {
  const [name, ...below] = names;
  if (name === undefined) return Directory.empty;
  if (below.length === 0) return changed(root, root.entries.without(name));
  const entry = root.entries.get(name);
  if (!(entry instanceof Directory)) return root;
  const left = without(entry, below);
  return left === entry ? root : changed(root, root.entries.with(name, left));
}

function changed(directory: Directory, entries: SortedMap<Entry>): Directory {
  return entries === directory.entries ? directory : new Directory(entries);
}

function placed(root: Directory, names: Names, entry: Entry): Directory {
  const [name, ...below] = names;
  if (name === undefined) return entry instanceof Directory ? entry : root;
  if (below.length === 0) return new Directory(root.entries.with(name, entry));
  const next = root.entries.get(name);
  const directory = next instanceof Directory ? next : Directory.empty;
  return new Directory(root.entries.with(name, placed(directory, below, entry)));
}
