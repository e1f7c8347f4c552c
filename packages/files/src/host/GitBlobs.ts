import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { host } from 'toolwright/internal/light';
import type { BlobCache } from './BlobCache.js';
import { GitConversation } from './GitConversation.js';
import type { HostEntry } from './HostEntry.js';
import { hostRefusals } from './hostRefusals.js';
import type { BlobId } from './SavedEntry.js';

/** Stores and fetches the contents of files while a snapshot is taken or restored. Git starts only if needed, once for all files. */
export class GitBlobs {
  readonly #repository: string;
  readonly #cache: BlobCache;
  #keeping: GitConversation | undefined;
  #fetching: GitConversation | undefined;

  constructor(repository: string, cache: BlobCache) {
    this.#repository = repository;
    this.#cache = cache;
  }

  /** Finds the id of a file's content if it was stored before and has not changed since; undefined otherwise. */
  findKnown(stats: BigIntStats): BlobId | undefined {
    return this.#cache.get(stats);
  }

  /** Returns the id of the content of a file; reads and stores the content unless it is known. */
  async keep(file: HostEntry): Promise<BlobId> {
    return this.findKnown(file.stats) ?? this.#cache.learn(file.stats, () => this.#read(file));
  }

  /** Writes a stored content to a file. */
  async fetch(blob: BlobId, file: FileHandle): Promise<void> {
    this.#fetching ??= new GitConversation(this.#repository, ['cat-file', '--batch']);
    const answer = await this.#fetching.ask(blob);
    const [, kind, size] = answer.split(' ');
    if (kind !== 'blob') throw hostRefusals.gitFailed(answer);
    for await (const part of this.#fetching.bytes(Number(size))) await file.writeFile(part);
  }

  /** Ends git. @throws ResourceError E907 if git ended with an error */
  async end(): Promise<void> {
    const ends = [this.#keeping, this.#fetching].map(async (each) => each?.end());
    // Both must end, even if the other one fails.
    await Promise.allSettled(ends);
    await Promise.all(ends);
  }

  async #read(file: HostEntry): Promise<BlobId> {
    this.#keeping ??= new GitConversation(this.#repository, ['hash-object', '-w', '--no-filters', '--stdin-paths']);
    const handle = await file.openToRead();
    try {
      // Git reads the file through our descriptor, so that it reads the held file even if the name has been replaced since.
      return await this.#keeping.ask(`/proc/${String(host.pid)}/fd/${String(handle.fd)}`);
    } finally {
      await handle.close();
    }
  }
}
