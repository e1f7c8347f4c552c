import { countLines } from './pageLines.js';
import { SortedMap } from '../SortedMap.js';
import type { FileEntry } from '../../interface/Filesystem.js';
import type { StateChange } from '../../interface/Transactional.js';

/** The names from the root on; empty for the root itself. */
export type Names = readonly string[];

/** A file. Immutable: a change of its content creates a new one. */
export class StoredFile {
  readonly content: string;
  #lines: number | undefined;
  #bytes: number | undefined;

  constructor(content: string) {
    this.content = content;
  }

  /** Counted once. Otherwise, reading a long file page by page would take quadratic time. */
  get lines(): number {
    return (this.#lines ??= countLines(this.content));
  }

  get bytes(): number {
    return (this.#bytes ??= Buffer.byteLength(this.content));
  }

  /** Size in characters, known without reading the text. */
  get size(): number {
    return this.content.length;
  }
}

/** Characters that an entry counts besides its content and its name: even empty files take memory. */
const ENTRY_SIZE = 100;

const sizeOf = (name: string, entry: Entry | undefined): number =>
  entry === undefined ? 0 : ENTRY_SIZE + name.length + entry.size;

/** A directory with everything below it. Immutable, so that states share their common parts. */
export class Directory {
  static readonly empty = new Directory(SortedMap.empty);

  readonly entries: SortedMap<Entry>;
  /** Size in characters of everything below it. */
  readonly size: number;

  private constructor(entries: SortedMap<Entry>, size = 0) {
    this.entries = entries;
    this.size = size;
  }

  /** Returns the directory with this entry under the name, or without the name if the entry is undefined. */
  with(name: string, entry: Entry | undefined): Directory {
    const before = this.entries.get(name);
    if (before === entry) return this;
    const entries = entry === undefined ? this.entries.without(name) : this.entries.with(name, entry);
    return new Directory(entries, this.size - sizeOf(name, before) + sizeOf(name, entry));
  }
}

export type Entry = StoredFile | Directory;

/** The state of a path. `blocked`: a file is in the place of a directory. */
export type PathState =
  | { readonly kind: 'file'; readonly entry: StoredFile }
  | { readonly kind: 'directory'; readonly entry: Directory }
  | { readonly kind: 'missing'; readonly entry?: undefined }
  | { readonly kind: 'blocked'; readonly entry?: undefined; readonly by: string };

export function findEntry(root: Directory, names: Names): PathState {
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

/** Returns the tree with a directory at the path: the existing one, or an empty one. */
export function putDirectoryAt(root: Directory, names: Names): Directory {
  return findEntry(root, names).kind === 'directory' ? root : putEntryAt(root, names, Directory.empty);
}

/** Returns the tree without the entry at the path. For the root, returns an empty tree. */
export function removeAt(root: Directory, names: Names): Directory {
  const [name, ...below] = names;
  if (name === undefined) return Directory.empty;
  if (below.length === 0) return root.with(name, undefined);
  const entry = root.entries.get(name);
  if (!(entry instanceof Directory)) return root;
  return root.with(name, removeAt(entry, below));
}

/** Returns the tree with an entry at the path, which replaces anything there. Creates missing parent directories. */
export function putEntryAt(root: Directory, names: Names, entry: Entry): Directory {
  const [name, ...below] = names;
  if (name === undefined) return entry instanceof Directory ? entry : root;
  if (below.length === 0) return root.with(name, entry);
  return root.with(name, putEntryAt(getDirectory(root.entries.get(name)), below, entry));
}

export function createFileEntry(name: string, path: string, isDirectory: boolean): FileEntry {
  return { name, path, isFile: !isDirectory, isDirectory };
}

/** Lists the files that differ between two trees, by their paths. Shared parts of the trees cost nothing. */
export function listTreeChanges(before: Directory, after: Directory, prefix = ''): readonly StateChange[] {
  if (before === after) return [];
  const names = new Set([...before.entries, ...after.entries].map(([name]) => name));
  return [...names].flatMap((name) => {
    const [old, now] = [before.entries.get(name), after.entries.get(name)];
    if (old === now) return [];
    const below = listTreeChanges(getDirectory(old), getDirectory(now), `${prefix}${name}/`);
    const [earlier, later] = [readText(old), readText(now)];
    return earlier === later ? below : [{ what: `${prefix}${name}`, before: earlier, after: later }, ...below];
  });
}

function readText(entry: Entry | undefined): string | undefined {
  return entry === undefined || entry instanceof Directory ? undefined : entry.content;
}

/** Returns the entry if it is a directory, and an empty directory otherwise. */
export function getDirectory(entry: Entry | undefined): Directory {
  return entry instanceof Directory ? entry : Directory.empty;
}
