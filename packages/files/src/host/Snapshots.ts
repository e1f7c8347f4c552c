import { rm } from 'node:fs/promises';
import type { Clock } from 'toolwright';
import type { FilesystemSnapshot } from 'toolwright/resources';
import { refusals } from 'toolwright/internal';
import { MAX_SNAPSHOT_ATTEMPTS } from '../limits.js';
import { BlobCache } from './BlobCache.js';
import { errnoOf, isRace } from './errno.js';
import { GitBlobs } from './GitBlobs.js';
import type { HostEntry } from './HostEntry.js';
import { hostRefusals } from './hostRefusals.js';
import type { SavedDirectory } from './SavedEntry.js';
import { makePrivateRepository } from './makePrivateRepository.js';
import { restoreTree } from './restoreTree.js';
import { takeTree } from './takeTree.js';

/** Takes and restores snapshots of a directory. Its structure is kept in memory, the contents in a private git repository. */
export class Snapshots {
  readonly #repository: string;
  readonly #cache: BlobCache;
  /** The trees of snapshots. They are kept outside the snapshots, so that they cannot be changed or forged. */
  readonly #trees = new WeakMap<FilesystemSnapshot, SavedDirectory>();

  private constructor(repository: string, clock: Clock) {
    this.#repository = repository;
    this.#cache = new BlobCache(clock);
  }

  /** @param root the real path of the directory @param gitFolder the folder in which to create the repository @throws ResourceError E906 */
  static async open(root: string, gitFolder: string | undefined, clock: Clock): Promise<Snapshots> {
    return new Snapshots(await makePrivateRepository(root, gitFolder), clock);
  }

  /** Takes a snapshot. @throws ResourceError E907 */
  async take(root: HostEntry): Promise<FilesystemSnapshot> {
    const tree = await this.#work('snapshot', (blobs) => {
      this.#cache.forgetUnused();
      return takeTree(root, blobs);
    });
    const snapshot = Object.freeze({ filesystem: 'HostFilesystem' });
    this.#trees.set(snapshot, tree);
    return snapshot;
  }

  /** Restores a snapshot. @throws ResourceError E905 for a snapshot of another filesystem, E907 if it fails */
  async restore(root: HostEntry, snapshot: FilesystemSnapshot): Promise<void> {
    const tree = this.#trees.get(snapshot);
    if (tree === undefined) throw refusals.foreignSnapshot('HostFilesystem');
    await this.#work('restore', (blobs) => restoreTree(root, tree, blobs));
  }

  /** Removes the stored contents. */
  close(): Promise<void> {
    return rm(this.#repository, { recursive: true, force: true });
  }

  async #work<T>(method: string, work: (blobs: GitBlobs) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const blobs = new GitBlobs(this.#repository, this.#cache);
      try {
        const result = await work(blobs);
        await blobs.end();
        return result;
      } catch (error) {
        // The original error is reported, not a subsequent failure of git.
        await blobs.end().catch(() => undefined);
        if (isRace(error) && attempt < MAX_SNAPSHOT_ATTEMPTS) continue;
        throw errnoOf(error) === undefined ? error : hostRefusals.failed(method, error);
      }
    }
  }
}
