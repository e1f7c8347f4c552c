import type { Awaitable } from '../../../common/types.js';
import { FilePath } from '../FilePath.js';
import { refusals } from '../refusals.js';
import { asRefusal } from './asRefusal.js';
import type { HostEntry } from './HostEntry.js';
import { hostName, type HostName } from './hostName.js';
import { hostRefusals } from './hostRefusals.js';
import { looking, type HostPathState } from './look.js';
import { openRoot, type HostRoot } from './openRoot.js';
import { WorkQueue } from './WorkQueue.js';

/** What a method does with its path and what stands there, which is held open meanwhile. */
export type PathWork<T> = (at: FilePath, sight: HostPathState) => Awaitable<T>;

/**
 * A folder of the host that methods work in by path. Those that change something run one after the other, the others beside
 * them; none of them ends with an error of the host.
 */
export class HostFolder {
  /** The real path when it was opened. */
  readonly path: string;
  readonly #root: HostEntry;
  readonly #queue = new WorkQueue();
  #closing: Promise<void> | undefined;

  private constructor({ path, entry }: HostRoot) {
    this.path = path;
    this.#root = entry;
  }

  /** @throws ResourceError E906 */
  static async open(folder: string): Promise<HostFolder> {
    return new HostFolder(await openRoot(folder));
  }

  /** For methods that change nothing. */
  async look<T>(method: string, path: string, work: PathWork<T>): Promise<T> {
    this.#needOpen();
    return this.#queue.beside(() => this.#working(method, path, work));
  }

  /** For methods that change something. */
  async change<T>(method: string, path: string, work: PathWork<T>): Promise<T> {
    this.#needOpen();
    return this.#queue.alone(() => this.#working(method, path, work));
  }

  /** For what concerns everything in the folder. */
  async whole<T>(work: (root: HostEntry) => Promise<T>): Promise<T> {
    this.#needOpen();
    return this.#queue.alone(() => work(this.#root));
  }

  /**
   * Works in the directory above a path.
   *
   * @param make makes directories that are missing
   * @throws FilesystemError notFound
   */
  above(at: FilePath, make: boolean, work: (directory: HostEntry, name: HostName) => Promise<void>): Promise<void> {
    const use = (sight: HostPathState): Promise<void> => {
      if (sight.kind !== 'there') throw refusals.noParent(at.given);
      return work(sight.entry, hostName(at.name));
    };
    return looking(this.#root, at, use, { names: at.parent, make });
  }

  /** Refuses all that comes from now on, and lets go of the folder when the rest has ended. */
  close(): Promise<void> {
    // Not before: a descriptor's number may belong to another folder at once.
    return (this.#closing ??= this.#queue.ended().then(() => this.#root.close()));
  }

  async #working<T>(method: string, path: string, work: PathWork<T>): Promise<T> {
    try {
      const at = FilePath.parse(path);
      return await looking(this.#root, at, (sight) => work(at, sight));
    } catch (error) {
      throw asRefusal(error, method, path);
    }
  }

  #needOpen(): void {
    if (this.#closing !== undefined) throw hostRefusals.closed();
  }
}
