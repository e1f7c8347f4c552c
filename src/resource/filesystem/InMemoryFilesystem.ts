import { TimeSlice } from '../../common/TimeSlice.js';
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
import { entryOf } from './entryOf.js';
import { FilePath } from './FilePath.js';
import { Glob } from './Glob.js';
import { lineExpression } from './lineSearch.js';
import { pageOf } from './lines.js';
import { isOwn, Observations, type Aspect, type Search } from './Observations.js';
import { MAX_FILE_BYTES, MAX_SIZE, requireSize, type InMemoryFilesystemOptions } from './fileSize.js';
import { refusals } from './refusals.js';
import { replaceText, type Replaced } from './replaceText.js';
import { contentsOf, filesBelow, filesIn, matchesOf, pathsOf } from './search.js';
import { treeChanges } from './treeChanges.js';
import { Directory, look, StoredFile, withDirectory, withFile, without, type Names, type PathState } from './tree.js';

/** The contents of snapshots, kept outside of them, so that they cannot be changed or forged. */
const snapshots = new WeakMap<FilesystemSnapshot, Directory>();

/**
 * Files in memory, with an overlay for each tool call: reads see one state and the call's own writes, and a call conflicts if
 * something that it read has since been changed by others. Beginning and dropping an overlay and taking a snapshot have
 * constant cost (docs/contract.md, 7 and 15).
 *
 * @example
 * const files = new InMemoryFilesystem({ files: { 'src/app.ts': 'export {};\n' } });
 * const overlay = files.begin(); await overlay.write('notes.md', '# Notes\n');
 * if (!files.conflicts(overlay)) files.commit(overlay);
 */
export class InMemoryFilesystem extends Filesystem implements Transactional<InMemoryFilesystem> {
  #root = Directory.empty;
  /** The base of an overlay; `#origin` is the state of it that the overlay began with. */
  #base: InMemoryFilesystem | undefined;
  #origin = Directory.empty;
  #log: ChangeLog | undefined;
  #observations: Observations | undefined;
  #closed = false;
  readonly #maxSize: number;

  /**
   * @param options what it begins with, and how large it may become
   * @throws FilesystemError invalidPath, isDirectory, notDirectory for files that cannot exist together
   */
  constructor({ files = {}, maxSize = MAX_SIZE }: InMemoryFilesystemOptions = {}) {
    super();
    this.#maxSize = maxSize;
    for (const [path, content] of Object.entries(files)) {
      const at = FilePath.parse(path);
      this.#placeForFile(at);
      this.#put(at, content);
    }
  }

  async read(path: string, { offset = 0, limit = 2_000 }: ReadOptions = {}): Promise<ReadResult> {
    const at = this.#path(path);
    const file = this.#file(at);
    return { ...pageOf(file.content, offset, limit, file.lines), path: at.text };
  }

  async write(path: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
    const { mode = 'overwrite', createParents = true } = options;
    const at = this.#path(path);
    if (mode === 'create') this.#observe('kind', at.names);
    if (mode === 'append') this.#observe('content', at.names);
    const there = this.#placeForFile(at);
    if (!createParents) this.#needParent(at);
    if (mode === 'create' && there !== undefined) throw refusals.exists(path);
    const kept = mode === 'append' ? there : undefined;
    const bytesWritten = Buffer.byteLength(content);
    requireSize(path, (kept?.bytes ?? 0) + bytesWritten, MAX_FILE_BYTES);
    this.#put(at, (kept?.content ?? '') + content);
    return { path: at.text, bytesWritten, mode };
  }

  async edit(path: string, oldText: string, newText: string, options: EditOptions = {}): Promise<EditResult> {
    const at = this.#path(path);
    let file: StoredFile, edited: Replaced;
    // Other work runs meanwhile: where it has changed the file, nothing of that is lost.
    do {
      const { content } = (file = this.#file(at));
      edited = await replaceText({ path, content, oldText, newText, options, maxFileBytes: MAX_FILE_BYTES });
    } while (this.#file(this.#path(path)) !== file);
    this.#put(at, edited.content);
    return { path: at.text, replacements: edited.replacements };
  }

  async list(path = '/'): Promise<readonly FileEntry[]> {
    const at = this.#path(path);
    const { entries } = this.#directory('names', at);
    return Array.from(entries, ([name, entry]) => entryOf(name, at.prefix + name, entry instanceof Directory));
  }

  async stat(path: string): Promise<FileStat> {
    const at = this.#path(path);
    // The size of a file depends on its text; for a directory, only its existence is reported.
    const sight = this.#existing('content', at);
    const isDirectory = sight.kind === 'directory';
    return { ...entryOf(at.name, at.text, isDirectory), sizeBytes: isDirectory ? 0 : sight.entry.bytes };
  }

  async exists(path: string): Promise<boolean> {
    return this.#see('kind', this.#path(path).names).entry !== undefined;
  }

  async delete(path: string, { recursive = false }: DeleteOptions = {}): Promise<void> {
    const at = this.#path(path);
    const { kind } = this.#existing('kind', at);
    if (kind === 'directory' && !recursive && !this.#directory('names', at).entries.isEmpty)
      throw refusals.notEmpty(path);
    this.#root = without(this.#root, at.names);
    this.#journal?.delete(at.names);
  }

  async mkdir(path: string, { parents = true, existOk = true }: MkdirOptions = {}): Promise<void> {
    const at = this.#path(path);
    const { names } = at;
    const sight = look(this.#root, names);
    this.#observe(sight.kind === 'missing' ? 'placeForDirectory' : 'kind', names);
    if (sight.kind === 'blocked') throw refusals.fileInTheWay(path, sight.by);
    if (sight.kind === 'directory' && existOk) return;
    if (sight.kind !== 'missing') throw refusals.exists(path);
    if (!existOk) this.#observe('kind', names);
    if (!parents) this.#needParent(at);
    this.#grow(path, withDirectory(this.#root, names));
    this.#journal?.makeDirectory(names);
  }

  async glob(pattern: string, { path = '/', signal }: GlobOptions = {}): Promise<readonly string[]> {
    const at = this.#path(path);
    const glob = new Glob(pattern);
    const directory = this.#directory('kind', at);
    this.#observeSearch({ names: at.names, pattern, glob, byContent: false });
    return pathsOf(filesBelow(directory, at.prefix, glob), new TimeSlice(signal));
  }

  async grep(pattern: string, options: GrepOptions = {}): Promise<readonly GrepMatch[]> {
    const { path = '/', glob: named = '**', maxMatches = 1_000, signal } = options;
    const expression = lineExpression(pattern);
    const at = this.#path(path);
    const glob = new Glob(named);
    const { entry } = this.#existing('kind', at);
    this.#observeSearch({ names: at.names, pattern: named, glob, byContent: true });
    return matchesOf(filesIn(entry, at, glob), expression, maxMatches, new TimeSlice(signal));
  }

  /** Takes a snapshot; in an overlay this counts as reading everything, since everything can be restored from it. */
  async snapshot(): Promise<FilesystemSnapshot> {
    this.#alive();
    this.#observe('tree', []);
    const snapshot = Object.freeze({ filesystem: 'InMemoryFilesystem' });
    snapshots.set(snapshot, this.#root);
    return snapshot;
  }

  async restore(snapshot: FilesystemSnapshot): Promise<void> {
    this.#alive();
    const root = snapshots.get(snapshot);
    if (root === undefined) throw refusals.foreignSnapshot('InMemoryFilesystem');
    this.#root = root;
    this.#journal?.restore(root);
  }

  /** Returns the text of every file by its path, sorted, as the constructor takes it. Directories without files are left out. */
  files(): Readonly<Record<string, string>> {
    this.#alive();
    this.#observe('tree', []);
    return contentsOf(this.#root);
  }

  begin(): InMemoryFilesystem {
    this.#alive();
    const overlay = new InMemoryFilesystem({ maxSize: this.#maxSize });
    overlay.#base = this;
    overlay.#root = overlay.#origin = this.#root;
    return overlay;
  }

  /** @throws TransactionClosedError if the overlay was committed already, ResourceError E905 if it is of another filesystem */
  commit(overlay: InMemoryFilesystem): void {
    this.#own(overlay);
    overlay.#alive();
    if (this.#root === overlay.#origin) this.#root = overlay.#root;
    else if (overlay.#log !== undefined) this.#root = overlay.#log.applyTo(this.#root);
    if (overlay.#log !== undefined) this.#journal?.append(overlay.#log);
    overlay.#closed = true;
  }

  conflicts(overlay: InMemoryFilesystem): boolean {
    this.#own(overlay);
    return overlay.#observations?.differ(overlay.#origin, this.#root) ?? false;
  }

  changed(overlay: InMemoryFilesystem): boolean {
    return overlay.#log !== undefined;
  }

  changes(overlay: InMemoryFilesystem): readonly StateChange[] {
    return treeChanges(overlay.#origin, overlay.#root);
  }

  /** The log of changes; undefined for a filesystem that is not an overlay, which needs none. */
  get #journal(): ChangeLog | undefined {
    return this.#base === undefined ? undefined : (this.#log ??= new ChangeLog());
  }

  #path(path: string): FilePath {
    this.#alive();
    return FilePath.parse(path);
  }

  #put(at: FilePath, content: string): void {
    const file = new StoredFile(content);
    this.#grow(at.given, withFile(this.#root, at.names, file));
    this.#journal?.write(at.names, file);
  }

  /** @throws FilesystemError invalidPath if there is more than before, and too much */
  #grow(path: string, root: Directory): void {
    if (root.size > this.#maxSize && root.size > this.#root.size) throw refusals.wouldBeFull(path, this.#maxSize);
    this.#root = root;
  }

  /** Returns the file to be replaced, if there is one. @throws FilesystemError if a file cannot be written here */
  #placeForFile(at: FilePath): StoredFile | undefined {
    if (at.isRoot) throw refusals.isRoot(at.given);
    const sight = this.#see('placeForFile', at.names);
    if (sight.kind === 'blocked') throw refusals.fileInTheWay(at.given, sight.by);
    if (sight.kind === 'directory') throw refusals.isDirectory(at.given);
    return sight.entry;
  }

  #needParent(at: FilePath): void {
    if (this.#see('kind', at.parent).kind !== 'directory') throw refusals.noParent(at.given);
  }

  #existing(aspect: Aspect, at: FilePath): Extract<PathState, { kind: 'file' | 'directory' }> {
    const sight = this.#see(aspect, at.names);
    if (sight.kind === 'missing') throw refusals.notFound(at.given);
    if (sight.kind === 'blocked') throw refusals.fileInTheWay(at.given, sight.by);
    return sight;
  }

  #file(at: FilePath): StoredFile {
    const sight = this.#existing('content', at);
    if (sight.kind === 'directory') throw refusals.isDirectory(at.given);
    return sight.entry;
  }

  #directory(aspect: Aspect, at: FilePath): Directory {
    const sight = this.#existing(aspect, at);
    if (sight.kind === 'file') throw refusals.notDirectory(at.given);
    return sight.entry;
  }

  #see(aspect: Aspect, names: Names): PathState {
    this.#observe(aspect, names);
    return look(this.#root, names);
  }

  /** Records a dependency of a result, here and in all bases: reads of a dropped overlay count as well. */
  #observe(aspect: Aspect, names: Names, seen = this.#root): void {
    if (this.#base === undefined || isOwn(aspect, look(seen, names), look(this.#origin, names))) return;
    if ((this.#observations ??= new Observations()).note(aspect, names))
      this.#base.#observe(aspect, names, this.#origin);
  }

  #observeSearch(search: Search): void {
    if (this.#base === undefined) return;
    (this.#observations ??= new Observations()).noteSearch(search);
    this.#base.#observeSearch(search);
  }

  #own(overlay: InMemoryFilesystem): void {
    this.#alive();
    if (overlay.#base !== this) throw refusals.foreignOverlay('InMemoryFilesystem');
  }

  #alive(): void {
    if (this.#closed) throw new TransactionClosedError('filesystem');
    if (this.#base !== undefined) this.#base.#alive();
  }
}
