import { constants, type BigIntStats } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { isErrno } from './errno.js';
import { BYTES, SELF, type HostName } from './hostName.js';

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** Linux's flag to get hold of a name without opening it: no FIFO waits, no device notices. Node has no constant for it. */
const O_PATH = 0o10000000;

const PERMISSIONS = 0o7777n;

/** What a name may be; `special` are FIFOs, sockets and devices. */
export type EntryKind = 'file' | 'directory' | 'link' | 'special';

/** A name in a directory and what it was when it was looked at. */
export interface Seen {
  readonly name: HostName;
  readonly kind: EntryKind;
  readonly stats: BigIntStats;
}

/**
 * What stands at a name of the host, held by a descriptor: whatever others put in its place, this stays what it was.
 *
 * The names in a directory are reached through its descriptor, as `/proc/self/fd/<descriptor>/<name>`, so that no element of
 * a path is looked up twice; and none of these calls follows a link at the last element. Together, nothing that others do
 * to the tree leads out of it. Every method may end with an error of the host.
 */
export class HostEntry {
  readonly kind: EntryKind;
  readonly stats: BigIntStats;
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, stats: BigIntStats) {
    this.#handle = handle;
    this.stats = stats;
    this.kind = kindOf(stats);
  }

  /** The directory at a path of the host, in which links are followed. */
  static openRoot(path: string): Promise<HostEntry> {
    return HostEntry.#open(path, O_PATH | O_DIRECTORY);
  }

  static async #open(path: string | Buffer, flags: number): Promise<HostEntry> {
    const handle = await open(path, flags);
    try {
      return new HostEntry(handle, await handle.stat({ bigint: true }));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get mode(): number {
    return modeOf(this.stats);
  }

  /** What stands at a name in this directory; undefined when nothing does. */
  async child(name: HostName): Promise<HostEntry | undefined> {
    try {
      return await HostEntry.#open(this.#at(name), O_PATH | O_NOFOLLOW);
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** This directory once more, to be closed by itself. */
  again(): Promise<HostEntry> {
    return HostEntry.#open(this.#at(SELF), O_PATH);
  }

  /** Everything in this directory but what is gone before it can be looked at. */
  async children(): Promise<readonly Seen[]> {
    const names = (await readdir(this.#path, BYTES)) as HostName[];
    const seen = await Promise.all(names.map((name) => this.#see(name)));
    return seen.filter((each) => each !== undefined);
  }

  /** Opens this file to be read. */
  openToRead(): Promise<FileHandle> {
    return open(this.#path, O_RDONLY);
  }

  /** Opens this file to be added to at its end. */
  openToAppend(): Promise<FileHandle> {
    return open(this.#path, O_WRONLY | O_APPEND);
  }

  /** Makes a file in this directory, and opens it to be written; there must be nothing at its name. */
  create(name: HostName, mode: number): Promise<FileHandle> {
    return open(this.#at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  }

  async makeDirectory(name: HostName): Promise<void> {
    await mkdir(this.#at(name));
  }

  makeLink(name: HostName, target: HostName): Promise<void> {
    return symlink(Buffer.from(target, BYTES), this.#at(name));
  }

  readLink(name: HostName): Promise<HostName> {
    return readlink(this.#at(name), BYTES) as Promise<HostName>;
  }

  /** Gives a file or link in this directory another name; one that is there already is replaced. */
  rename(from: HostName, to: HostName): Promise<void> {
    return rename(this.#at(from), this.#at(to));
  }

  removeFile(name: HostName): Promise<void> {
    return unlink(this.#at(name));
  }

  removeDirectory(name: HostName): Promise<void> {
    return rmdir(this.#at(name));
  }

  /** Changes the permissions of this file or directory. */
  setMode(mode: number): Promise<void> {
    return chmod(this.#path, mode);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  get #path(): string {
    return `/proc/self/fd/${String(this.#handle.fd)}`;
  }

  #at(name: HostName): Buffer {
    return Buffer.from(`${this.#path}/${name}`, BYTES);
  }

  async #see(name: HostName): Promise<Seen | undefined> {
    try {
      const stats = await lstat(this.#at(name), { bigint: true });
      return { name, kind: kindOf(stats), stats };
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
  }
}

/** The permissions, with the bits for set-user-id, set-group-id and sticky. */
export function modeOf(stats: BigIntStats): number {
  return Number(stats.mode & PERMISSIONS);
}

function kindOf(stats: BigIntStats): EntryKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'special';
}
