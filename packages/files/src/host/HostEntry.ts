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

/** Linux's flag to get a descriptor without opening the file, so that FIFOs do not block and devices are not affected. Node lacks it. */
const O_PATH = 0o10000000;

const PERMISSIONS = 0o7777n;

/** The kind of an entry. FIFOs, sockets and devices are `special`. */
export type EntryKind = 'file' | 'directory' | 'link' | 'special';

/** A name in a directory, with its kind and stats at the time of reading. */
export interface Seen {
  readonly name: HostName;
  readonly kind: EntryKind;
  readonly stats: BigIntStats;
}

/**
 * An entry of the host, held by a descriptor: it remains the same entry even if others replace it at its path.
 *
 * The names in a directory are reached through its descriptor, as `/proc/self/fd/<descriptor>/<name>`, so no element of a path is
 * looked up twice. No call follows a link at the last element. Together, this ensures that no concurrent change of the tree leads
 * out of it. Every method may fail with an error of the host.
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

  /** Opens the directory at a path of the host. Links in the path are followed. */
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

  /** Opens the entry with a name in this directory; undefined if it does not exist. */
  async child(name: HostName): Promise<HostEntry | undefined> {
    try {
      return await HostEntry.#open(this.#at(name), O_PATH | O_NOFOLLOW);
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Opens this directory again, to be closed separately. */
  reopen(): Promise<HostEntry> {
    return HostEntry.#open(this.#at(SELF), O_PATH);
  }

  /** Lists this directory, except entries that are deleted meanwhile. */
  async listChildren(): Promise<readonly Seen[]> {
    const names = (await readdir(this.#path, BYTES)) as HostName[];
    const seen = await Promise.all(names.map((name) => this.#readEntry(name)));
    return seen.filter((each) => each !== undefined);
  }

  openToRead(): Promise<FileHandle> {
    return open(this.#path, O_RDONLY);
  }

  openToAppend(): Promise<FileHandle> {
    return open(this.#path, O_WRONLY | O_APPEND);
  }

  /** Creates a file in this directory, and opens it for writing. The name must be free. */
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

  /** Renames a file or link in this directory. Replaces an entry that has the new name. */
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

  async #readEntry(name: HostName): Promise<Seen | undefined> {
    try {
      const stats = await lstat(this.#at(name), { bigint: true });
      return { name, kind: kindOf(stats), stats };
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
  }
}

/** Returns the permissions, with the bits for set-user-id, set-group-id and sticky. */
export function modeOf(stats: BigIntStats): number {
  return Number(stats.mode & PERMISSIONS);
}

function kindOf(stats: BigIntStats): EntryKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'special';
}
