import { TimeSlice } from '../../common/TimeSlice.js';
import { MAX_FILE_BYTES, MAX_MEMORY_FILES_CHARS } from '../../common/limits.js';
import { TransactionClosedError } from '../../error/toolErrors.js';
import {
  Filesystem,
  type DeleteOptions,
  type EditOptions,
  type EditResult,
  type FileEntry,
  type FileStat,
  type FilesystemSnapshot,
  type GlobOptions,
  type GrepMatch,
  type GrepOptions,
  type MkdirOptions,
  type ReadOptions,
  type ReadResult,
  type WriteOptions,
  type WriteResult,
} from '../../interface/Filesystem.js';
import type { StateChange, Transactional } from '../../interface/Transactional.js';
import { ChangeLog } from './ChangeLog.js';
import {
  createFileEntry,
  Directory,
  findEntry,
  listTreeChanges,
  StoredFile,
  putDirectoryAt,
  putEntryAt,
  removeAt,
  type Names,
  type PathState,
} from './tree.js';
import { FilePath } from './FilePath.js';
import { Glob } from './Glob.js';
import { createLineExpression } from './lineSearch.js';
import { readPage } from './pageLines.js';
import { isOwn, Observations, type Aspect, type Search } from './Observations.js';
import { refusals, requireSize } from './refusals.js';
import { replaceText, type Replaced } from './replaceText.js';
import { readContents, listFilesBelow, listFilesIn, findMatches, listPaths } from './searchFiles.js';

/** The initial files in memory, and their maximum size. */
export interface InMemoryFilesystemOptions {
  /** The text of each file by its path. Directories are created as needed. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /**
   * Maximum number of characters of all files together, where each file and directory counts its name and 100 more;
   * 64,000,000 by default.
   */
  readonly maxSize?: number | undefined;
}

/** The contents of snapshots. Kept outside them, so that they cannot be changed or forged. */
const snapshots = new WeakMap<FilesystemSnapshot, Directory>();

/**
 * Files in memory, with an overlay for each tool call. A call sees one state and its own writes, and conflicts if
 * another call has changed something that it read. Beginning or dropping an overlay, and snapshots, have constant
 * cost (docs/contract.md, 7, 15).
 *
 * @example
 * const files = new InMemoryFilesystem({ files: { 'src/app.ts': 'export {};\n' } });
 * const overlay = files.begin(); await overlay.write('notes.md', '# Notes\n');
 * if (!files.conflicts(overlay)) files.commit(overlay);
 */
export class InMemoryFilesystem extends Filesystem implements Transactional<InMemoryFilesystem> {
  #root = Directory.empty;
  /** The base of an overlay. `#origin` is the state of the base when the overlay began. */
  #base: InMemoryFilesystem | undefined;
  #origin = Directory.empty;
  #log: ChangeLog | undefined;
  #observations: Observations | undefined;
  #closed = false;
  readonly #maxSize: number;

  /**
   * @param options the initial files and the maximum size
   * @throws FilesystemError invalidPath, isDirectory, notDirectory for files that cannot exist together
   */
  constructor({ files = {}, maxSize = MAX_MEMORY_FILES_CHARS }: InMemoryFilesystemOptions = {}) {
    super();
    this.#maxSize = maxSize;
    for (const [path, content] of Object.entries(files)) {
      const at = FilePath.parse(path);
      this.#placeForFile(at);
      this.#putFile(at, content);
    }
  }

  async read(path: string, { offset = 0, limit = 2_000 }: ReadOptions = {}): Promise<ReadResult> {
    const at = this.#parsePath(path);
    const file = this.#requireFile(at);
    return { ...readPage(file.content, offset, limit, file.lines), path: at.text };
  }

  async write(path: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
    const { mode = 'overwrite', createParents = true } = options;
    const at = this.#parsePath(path);
    if (mode === 'create') this.#observe('kind', at.names);
    if (mode === 'append') this.#observe('content', at.names);
    const there = this.#placeForFile(at);
    if (!createParents) this.#needParent(at);
    if (mode === 'create' && there !== undefined) throw refusals.exists(path);
    const kept = mode === 'append' ? there : undefined;
    const bytesWritten = Buffer.byteLength(content);
    requireSize(path, (kept?.bytes ?? 0) + bytesWritten, MAX_FILE_BYTES);
    this.#putFile(at, (kept?.content ?? '') + content);
    return { path: at.text, bytesWritten, mode };
  }

  async edit(path: string, oldText: string, newText: string, options: EditOptions = {}): Promise<EditResult> {
    const at = this.#parsePath(path);
    let file: StoredFile, edited: Replaced;
    // Other work runs in between. If it has changed the file, none of its changes are lost.
    do {
      const { content } = (file = this.#requireFile(at));
      edited = await replaceText({ path, content, oldText, newText, options, maxFileBytes: MAX_FILE_BYTES });
    } while (this.#requireFile(this.#parsePath(path)) !== file);
    this.#putFile(at, edited.content);
    return { path: at.text, replacements: edited.replacements };
  }

  async list(path = '/'): Promise<readonly FileEntry[]> {
    const at = this.#parsePath(path);
    const { entries } = this.#requireDirectory('names', at);
    return Array.from(entries, ([name, entry]) => createFileEntry(name, at.prefix + name, entry instanceof Directory));
  }

  async stat(path: string): Promise<FileStat> {
    const at = this.#parsePath(path);
    // The size of a file depends on its text. For a directory, only its existence is reported.
    const sight = this.#requireEntry('content', at);
    const isDirectory = sight.kind === 'directory';
    return { ...createFileEntry(at.name, at.text, isDirectory), sizeBytes: isDirectory ? 0 : sight.entry.bytes };
  }

  async exists(path: string): Promise<boolean> {
    return this.#observeEntry('kind', this.#parsePath(path).names).entry !== undefined;
  }

  async delete(path: string, { recursive = false }: DeleteOptions = {}): Promise<void> {
    const at = this.#parsePath(path);
    const { kind } = this.#requireEntry('kind', at);
    if (kind === 'directory' && !recursive && !this.#requireDirectory('names', at).entries.isEmpty)
      throw refusals.notEmpty(path);
    this.#root = removeAt(this.#root, at.names);
    this.#journal?.add({ do: 'delete', names: at.names });
  }

  async mkdir(path: string, { parents = true, existOk = true }: MkdirOptions = {}): Promise<void> {
    const at = this.#parsePath(path);
    const { names } = at;
    const sight = findEntry(this.#root, names);
    this.#observe(sight.kind === 'missing' ? 'placeForDirectory' : 'kind', names);
    if (sight.kind === 'blocked') throw refusals.fileInTheWay(path, sight.by);
    if (sight.kind === 'directory' && existOk) return;
    if (sight.kind !== 'missing') throw refusals.exists(path);
    if (!existOk) this.#observe('kind', names);
    if (!parents) this.#needParent(at);
    this.#grow(path, putDirectoryAt(this.#root, names));
    this.#journal?.add({ do: 'makeDirectory', names });
  }

  async glob(pattern: string, { path = '/', signal }: GlobOptions = {}): Promise<readonly string[]> {
    const at = this.#parsePath(path);
    const glob = new Glob(pattern);
    const directory = this.#requireDirectory('kind', at);
    this.#observeSearch({ names: at.names, pattern, glob, byContent: false });
    return listPaths(listFilesBelow(directory, at.prefix, glob), new TimeSlice(signal));
  }

  async grep(pattern: string, options: GrepOptions = {}): Promise<readonly GrepMatch[]> {
    const { path = '/', glob: named = '**', maxMatches = 1_000, signal } = options;
    const expression = createLineExpression(pattern);
    const at = this.#parsePath(path);
    const glob = new Glob(named);
    const { entry } = this.#requireEntry('kind', at);
    this.#observeSearch({ names: at.names, pattern: named, glob, byContent: true });
    return findMatches(listFilesIn(entry, at, glob), expression, maxMatches, new TimeSlice(signal));
  }

  /** Takes a snapshot. In an overlay this counts as reading everything, because everything can be restored from it. */
  async snapshot(): Promise<FilesystemSnapshot> {
    this.#assertOpen();
    this.#observe('tree', []);
    const snapshot = Object.freeze({ filesystem: 'InMemoryFilesystem' });
    snapshots.set(snapshot, this.#root);
    return snapshot;
  }

  async restore(snapshot: FilesystemSnapshot): Promise<void> {
    this.#assertOpen();
    const root = snapshots.get(snapshot);
    if (root === undefined) throw refusals.foreignSnapshot('InMemoryFilesystem');
    this.#root = root;
    this.#journal?.add({ do: 'restore', root });
  }

  /** Returns the text of every file by its path, sorted, as the constructor takes it. Directories without files are left out. */
  files(): Readonly<Record<string, string>> {
    this.#assertOpen();
    this.#observe('tree', []);
    return readContents(this.#root);
  }

  begin(): InMemoryFilesystem {
    this.#assertOpen();
    const overlay = new InMemoryFilesystem({ maxSize: this.#maxSize });
    overlay.#base = this;
    overlay.#root = overlay.#origin = this.#root;
    return overlay;
  }

  /**
   * Applies the changes of an overlay.
   *
   * @throws TransactionClosedError if the overlay was committed already, ResourceError E905 if it belongs to another
   * filesystem
   */
  commit(overlay: InMemoryFilesystem): void {
    this.#assertOwn(overlay);
    overlay.#assertOpen();
    if (this.#root === overlay.#origin) this.#root = overlay.#root;
    else if (overlay.#log !== undefined) this.#root = overlay.#log.applyTo(this.#root);
    if (overlay.#log !== undefined) this.#journal?.append(overlay.#log);
    overlay.#closed = true;
  }

  conflicts(overlay: InMemoryFilesystem): boolean {
    this.#assertOwn(overlay);
    return overlay.#observations?.differ(overlay.#origin, this.#root) ?? false;
  }

  changed(overlay: InMemoryFilesystem): boolean {
    return overlay.#log !== undefined;
  }

  changes(overlay: InMemoryFilesystem): readonly StateChange[] {
    return listTreeChanges(overlay.#origin, overlay.#root);
  }

  /** The log of changes of an overlay; undefined for other filesystems, which need none. */
  get #journal(): ChangeLog | undefined {
    return this.#base === undefined ? undefined : (this.#log ??= new ChangeLog());
  }

  #parsePath(path: string): FilePath {
    this.#assertOpen();
    return FilePath.parse(path);
  }

  #putFile(at: FilePath, content: string): void {
    const file = new StoredFile(content);
    this.#grow(at.given, putEntryAt(this.#root, at.names, file));
    this.#journal?.add({ do: 'write', names: at.names, file });
  }

  /** @throws FilesystemError invalidPath if the files grow beyond the maximum size */
  #grow(path: string, root: Directory): void {
    if (root.size > this.#maxSize && root.size > this.#root.size) throw refusals.wouldBeFull(path, this.#maxSize);
    this.#root = root;
  }

  /** @throws FilesystemError if a file cannot be written here */
  #placeForFile(at: FilePath): StoredFile | undefined {
    if (at.isRoot) throw refusals.isRoot(at.given);
    const sight = this.#observeEntry('placeForFile', at.names);
    if (sight.kind === 'blocked') throw refusals.fileInTheWay(at.given, sight.by);
    if (sight.kind === 'directory') throw refusals.isDirectory(at.given);
    return sight.entry;
  }

  #needParent(at: FilePath): void {
    if (this.#observeEntry('kind', at.parent).kind !== 'directory') throw refusals.noParent(at.given);
  }

  #requireEntry(aspect: Aspect, at: FilePath): Extract<PathState, { kind: 'file' | 'directory' }> {
    const sight = this.#observeEntry(aspect, at.names);
    if (sight.kind === 'missing') throw refusals.notFound(at.given);
    if (sight.kind === 'blocked') throw refusals.fileInTheWay(at.given, sight.by);
    return sight;
  }

  #requireFile(at: FilePath): StoredFile {
    const sight = this.#requireEntry('content', at);
    if (sight.kind === 'directory') throw refusals.isDirectory(at.given);
    return sight.entry;
  }

  #requireDirectory(aspect: Aspect, at: FilePath): Directory {
    const sight = this.#requireEntry(aspect, at);
    if (sight.kind === 'file') throw refusals.notDirectory(at.given);
    return sight.entry;
  }

  #observeEntry(aspect: Aspect, names: Names): PathState {
    this.#observe(aspect, names);
    return findEntry(this.#root, names);
  }

  /** Records a dependency of a result, here and in all bases: reads of a dropped overlay count as well. */
  #observe(aspect: Aspect, names: Names, seen = this.#root): void {
    if (this.#base === undefined || isOwn(aspect, findEntry(seen, names), findEntry(this.#origin, names))) return;
    if ((this.#observations ??= new Observations()).note(aspect, names))
      this.#base.#observe(aspect, names, this.#origin);
  }

  #observeSearch(search: Search): void {
    if (this.#base === undefined) return;
    (this.#observations ??= new Observations()).noteSearch(search);
    this.#base.#observeSearch(search);
  }

  #assertOwn(overlay: InMemoryFilesystem): void {
    this.#assertOpen();
    if (overlay.#base !== this) throw refusals.foreignOverlay('InMemoryFilesystem');
  }

  #assertOpen(): void {
    if (this.#closed) throw new TransactionClosedError('filesystem');
    if (this.#base !== undefined) this.#base.#assertOpen();
  }
}
