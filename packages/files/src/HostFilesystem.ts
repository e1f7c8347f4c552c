import { type Clock, type Snapshotable, systemClock } from 'toolwright';
import { copyOwnOptions } from 'toolwright/internal/light';
import {
  type DeleteOptions,
  type EditOptions,
  type EditResult,
  type FileEntry,
  type FileStat,
  Filesystem,
  type FilesystemSnapshot,
  type GlobOptions,
  type GrepMatch,
  type GrepOptions,
  type MkdirOptions,
  type ReadOptions,
  type ReadResult,
  type WriteOptions,
  type WriteResult,
} from 'toolwright/resources';
import {
  collectMatches,
  type FilePath,
  Glob,
  createLineExpression,
  MAX_FILE_BYTES,
  type OptionNames,
  readPage,
  refusals,
  replaceText,
  requireOptionNames,
  requireSize,
  TimeSlice,
} from 'toolwright/internal';
import type { EntryKind, HostEntry } from './host/HostEntry.js';
import { HostFolder } from './host/HostFolder.js';
import { hostRefusals } from './host/hostRefusals.js';
import { findFiles, listShownNames, findTexts } from './host/searchTree.js';
import { readText } from './host/readText.js';
import { requireEntry, requireDirectory, requireFile, findReplacedFile } from './host/openPath.js';
import { appendText, createText, writeText } from './host/writeEntries.js';
import { clearDirectory, findExcluded } from './host/removeEntry.js';
import { Snapshots } from './host/Snapshots.js';

/** Options of `HostFilesystem.open`; all have defaults. */
export interface HostFilesystemOptions {
  /** The most bytes of a file that is read, written, edited or searched; 10,000,000 by default. */
  readonly maxFileBytes?: number | undefined;
  /** False to work without git: snapshots are refused, and with them every tool call that writes. True by default. */
  readonly snapshots?: boolean | undefined;
  /** An existing folder outside the root, in which a private folder for git is created; the folder for temporary files by default. */
  readonly gitFolder?: string | undefined;
  /** The clock that decides which changes are too recent to be detected by a file's times; the system's clock by default. */
  readonly clock?: Clock | undefined;
}

const optionNames: OptionNames<HostFilesystemOptions> = { maxFileBytes: 1, snapshots: 1, gitFolder: 1, clock: 1 };

/**
 * The files below one folder of the host, with snapshots that git keeps in a private folder (docs/contract.md, 15).
 *
 * No path leads out of the folder, even if other processes change it concurrently: each element of a path is opened relative to
 * its parent, and links are never followed. Links, pipes, sockets and devices are refused, files with several hard links are not
 * written, and entries named `.git` are neither shown nor changed. Only texts are read, which are UTF-8 without NUL characters; other
 * files are only listed. Names that are not UTF-8 are not listed. Changes and snapshots run one after the other; reads run
 * concurrently with them.
 *
 * Works on Linux only.
 *
 * @example
 * const files = await HostFilesystem.open('/srv/workspace');
 * const snapshot = await files.snapshot();
 * await files.write('notes.md', '# Notes\n');
 * await files.restore(snapshot);
 * await files.close();
 */
export class HostFilesystem extends Filesystem implements Snapshotable<FilesystemSnapshot> {
  readonly reads: readonly (keyof Filesystem)[] = ['read', 'list', 'stat', 'exists', 'glob', 'grep'];
  /** The real path of the folder at the time of opening. */
  readonly root: string;
  readonly #folder: HostFolder;
  readonly #snapshots: Snapshots | undefined;
  readonly #maxFileBytes: number;

  private constructor(folder: HostFolder, snapshots: Snapshots | undefined, maxFileBytes: number) {
    super();
    this.root = folder.path;
    this.#folder = folder;
    this.#snapshots = snapshots;
    this.#maxFileBytes = maxFileBytes;
  }

  /**
   * Opens a folder and holds it open until `close`, even if it is moved.
   *
   * @throws ResourceError E906 if it is not a directory, git cannot be run, or this is not Linux; PromptError E413 for an
   * unknown option
   */
  static async open(root: string, options: HostFilesystemOptions = {}): Promise<HostFilesystem> {
    requireOptionNames('HostFilesystem.open', options, optionNames);
    const { maxFileBytes = MAX_FILE_BYTES, snapshots = true, gitFolder, clock = systemClock } = copyOwnOptions(options);
    const folder = await HostFolder.open(root);
    try {
      const kept = snapshots ? await Snapshots.open(folder.path, gitFolder, clock) : undefined;
      return new HostFilesystem(folder, kept, maxFileBytes);
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  async read(path: string, { offset = 0, limit = 2_000 }: ReadOptions = {}): Promise<ReadResult> {
    return this.#folder.inspect('read', path, async (at, sight) => {
      const text = await this.#textOf(requireFile(sight, at), at);
      return { ...readPage(text, offset, limit), path: at.text };
    });
  }

  async write(path: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
    const { mode = 'overwrite', createParents = true } = options;
    return this.#folder.change('write', path, async (at, sight) => {
      const there = findReplacedFile(sight, at);
      if (mode === 'create' && there !== undefined) throw refusals.exists(path);
      const bytesWritten = Buffer.byteLength(content);
      const kept = mode === 'append' ? Number(there?.stats.size ?? 0) : 0;
      requireSize(path, kept + bytesWritten, this.#maxFileBytes);
      if (mode === 'append' && there !== undefined) await appendText(there, content);
      else {
        const put = mode === 'create' ? createText : writeText;
        await this.#folder.workAbove(at, createParents, (above, name) => put(above, name, content, there));
      }
      return { path: at.text, bytesWritten, mode };
    });
  }

  async edit(path: string, oldText: string, newText: string, options: EditOptions = {}): Promise<EditResult> {
    return this.#folder.change('edit', path, async (at, sight) => {
      const text = await this.#textOf(requireFile(sight, at), at);
      const replacement = { path, content: text, oldText, newText, options, maxFileBytes: this.#maxFileBytes };
      const { content, replacements } = await replaceText(replacement);
      const there = findReplacedFile(sight, at);
      await this.#folder.workAbove(at, false, (above, name) => writeText(above, name, content, there));
      return { path: at.text, replacements };
    });
  }

  /** Lists a directory; links, pipes and the like are listed as neither a file nor a directory. */
  async list(path = '/'): Promise<readonly FileEntry[]> {
    return this.#folder.inspect('list', path, async (at, sight) => {
      const names = await listShownNames(requireDirectory(sight, at));
      const entries = names.map(({ text, kind }) => entryOf(text, at.prefix + text, kind));
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  async stat(path: string): Promise<FileStat> {
    return this.#folder.inspect('stat', path, (at, sight) => {
      const { kind, stats } = requireEntry(sight, at);
      return { ...entryOf(at.name, at.text, kind), sizeBytes: kind === 'directory' ? 0 : Number(stats.size) };
    });
  }

  async exists(path: string): Promise<boolean> {
    return this.#folder.inspect('exists', path, (_at, { kind }) => kind === 'there');
  }

  /** Deletes an entry; refuses a directory with entries that could not be restored: pipes, devices, and those named `.git`. */
  async delete(path: string, { recursive = false }: DeleteOptions = {}): Promise<void> {
    await this.#folder.change('delete', path, async (at, sight) => {
      const entry = requireEntry(sight, at);
      const isDirectory = entry.kind === 'directory';
      if (isDirectory) {
        if (!recursive && (await entry.listChildren()).length > 0) throw refusals.notEmpty(path);
        const kept = await findExcluded(entry);
        if (kept !== undefined) throw hostRefusals.leftAlone(path, at.prefix + kept);
        await clearDirectory(entry);
      }
      if (at.isRoot) return;
      await this.#folder.workAbove(at, false, (above, name) =>
        isDirectory ? above.removeDirectory(name) : above.removeFile(name),
      );
    });
  }

  async mkdir(path: string, { parents = true, existOk = true }: MkdirOptions = {}): Promise<void> {
    await this.#folder.change('mkdir', path, async (at, sight) => {
      if (sight.kind === 'blocked') throw refusals.fileInTheWay(path, sight.by);
      if (sight.kind === 'there') {
        if (sight.entry.kind === 'directory' && existOk) return;
        throw refusals.exists(path);
      }
      await this.#folder.workAbove(at, parents, (above, name) => above.makeDirectory(name));
    });
  }

  async glob(pattern: string, { path = '/', signal }: GlobOptions = {}): Promise<readonly string[]> {
    const glob = new Glob(pattern);
    return this.#folder.inspect('glob', path, async (at, sight) => {
      const paths: string[] = [];
      const slice = new TimeSlice(signal);
      for await (const file of findFiles(requireDirectory(sight, at), at.prefix, glob, slice)) paths.push(file.path);
      return paths;
    });
  }

  /** Searches files. Files that are too large, not text, or unreadable have no matches. */
  async grep(pattern: string, options: GrepOptions = {}): Promise<readonly GrepMatch[]> {
    const { path = '/', glob = '**', maxMatches = 1_000, signal } = options;
    const [expression, files] = [createLineExpression(pattern), new Glob(glob)];
    return this.#folder.inspect('grep', path, async (at, sight) => {
      const matches: GrepMatch[] = [];
      const entry = requireEntry(sight, at);
      if (maxMatches <= 0) return matches;
      const search = { matches, most: maxMatches, slice: new TimeSlice(signal) };
      for await (const found of findTexts(entry, at, files, { most: this.#maxFileBytes, slice: search.slice }))
        if (await collectMatches(found, expression, search)) return matches;
      return matches;
    });
  }

  /**
   * Saves the contents and permissions of all files, the directories, and the targets of links, including ignored files (`.gitignore`)
   * and unlisted names. Pipes, sockets, devices and entries named `.git` are excluded, and `restore` leaves them unchanged.
   *
   * @throws ResourceError E907 if an entry is unreadable, git fails, or there are no snapshots
   */
  async snapshot(): Promise<FilesystemSnapshot> {
    const snapshots = this.#requireSnapshots();
    return this.#folder.workOnWhole((root) => snapshots.take(root));
  }

  /**
   * Restores a snapshot. Does not touch unchanged files.
   *
   * @throws ResourceError E905 for a snapshot of another filesystem; E907 if the host fails halfway: call it again then
   */
  async restore(snapshot: FilesystemSnapshot): Promise<void> {
    const snapshots = this.#requireSnapshots();
    await this.#folder.workOnWhole((root) => snapshots.restore(root, snapshot));
  }

  /** Closes the folder and removes the snapshots once all operations have ended. Later calls are refused. */
  async close(): Promise<void> {
    await this.#folder.close();
    await this.#snapshots?.close();
  }

  async #textOf(file: HostEntry, at: FilePath): Promise<string> {
    const read = await readText(file, this.#maxFileBytes);
    if (read.text !== undefined) return read.text;
    throw read.lacking === 'binary'
      ? hostRefusals.binary(at.given)
      : hostRefusals.tooLarge(at.given, this.#maxFileBytes);
  }

  #requireSnapshots(): Snapshots {
    if (this.#snapshots === undefined) throw hostRefusals.noSnapshots();
    return this.#snapshots;
  }
}

function entryOf(name: string, path: string, kind: EntryKind): FileEntry {
  return { name, path, isFile: kind === 'file', isDirectory: kind === 'directory' };
}
