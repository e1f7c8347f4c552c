import type { Awaitable } from 'toolwright/types';
import { FilePath, refusals } from 'toolwright/internal';
import type { HostEntry } from './HostEntry.js';
import { encodeHostName, type HostName } from './hostName.js';
import { hostRefusals } from './hostRefusals.js';
import { withEntryAt, type HostPathState } from './openPath.js';
import { openRoot, type HostRoot } from './openRoot.js';
import { errnoOf, isErrno, isRace } from './errno.js';

/** The work of a method on a path and its entry, which is held open meanwhile. */
export type PathWork<T> = (at: FilePath, sight: HostPathState) => Awaitable<T>;

/**
 * A folder of the host in which methods work by path. Changes run one after the other, reads run concurrently. Errors of the host are
 * converted to errors of filesystems.
 */
export class HostFolder {
  /** The real path at the time of opening. */
  readonly path: string;
  readonly #root: HostEntry;
  readonly #queue = new WorkQueue();
  #closing: Promise<void> | undefined;

  private constructor({ path, entry }: HostRoot) {
    this.path = path;
    this.#root = entry;
  }

  /** Opens a folder. @throws ResourceError E906 */
  static async open(folder: string): Promise<HostFolder> {
    return new HostFolder(await openRoot(folder));
  }

  /** Runs a method that changes nothing. */
  async inspect<T>(method: string, path: string, work: PathWork<T>): Promise<T> {
    this.#requireOpen();
    return this.#queue.runBeside(() => this.#workAt(method, path, work));
  }

  /** Runs a method that changes something. */
  async change<T>(method: string, path: string, work: PathWork<T>): Promise<T> {
    this.#requireOpen();
    return this.#queue.runAlone(() => this.#workAt(method, path, work));
  }

  async workOnWhole<T>(work: (root: HostEntry) => Promise<T>): Promise<T> {
    this.#requireOpen();
    return this.#queue.runAlone(() => work(this.#root));
  }

  /**
   * Works in the directory above a path.
   *
   * @param make creates missing directories
   * @throws FilesystemError notFound
   */
  workAbove(at: FilePath, make: boolean, work: (directory: HostEntry, name: HostName) => Promise<void>): Promise<void> {
    const use = (sight: HostPathState): Promise<void> => {
      if (sight.kind !== 'there') throw refusals.noParent(at.given);
      return work(sight.entry, encodeHostName(at.name));
    };
    return withEntryAt(this.#root, at, use, { names: at.parent, make });
  }

  /** Refuses further work, and closes the folder when the rest has ended. */
  close(): Promise<void> {
    // The folder is closed only then, because the number of a closed descriptor may be reused at once for another folder.
    return (this.#closing ??= this.#queue.waitUntilEnded().then(() => this.#root.close()));
  }

  async #workAt<T>(method: string, path: string, work: PathWork<T>): Promise<T> {
    try {
      const at = FilePath.parse(path);
      return await withEntryAt(this.#root, at, (sight) => work(at, sight));
    } catch (error) {
      throw toRefusal(error, method, path);
    }
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw hostRefusals.closed();
  }
}

/** Converts an error of the host to the error that the caller gets. Returns any other error unchanged. */
function toRefusal(error: unknown, method: string, path: string): unknown {
  const code = errnoOf(error);
  if (code === undefined) return error;
  if (isErrno(error, 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG')) return hostRefusals.denied(path, code);
  return isRace(error) ? hostRefusals.moved(path) : hostRefusals.failed(method, error);
}

/** Runs exclusive work one after the other, and tracks when everything has ended. */
class WorkQueue {
  readonly #running = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work when all earlier exclusive work has ended, successfully or not. */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return this.runBeside(() => result);
  }

  /** Runs the work at once, concurrently with other work. */
  runBeside<T>(work: () => Promise<T>): Promise<T> {
    const result = work();
    const ended = result.catch(() => undefined).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return result;
  }

  async waitUntilEnded(): Promise<void> {
    await Promise.all(this.#running);
  }
}
