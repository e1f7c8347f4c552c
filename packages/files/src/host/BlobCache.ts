import type { BigIntStats } from 'node:fs';
import type { Clock } from 'toolwright';
import { FILE_TIME_STEP_MS } from '../limits.js';
import type { BlobId } from './SavedEntry.js';

interface Known {
  readonly blob: BlobId;
  readonly stats: BigIntStats;
}

/** Remembers the contents of files that have not changed since they were read. */
export class BlobCache {
  readonly #clock: Clock;
  #recent = new Map<string, Known>();
  #earlier = new Map<string, Known>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Forgets entries that were not used since the last call, so that deleted files take no memory. */
  forgetUnused(): void {
    this.#earlier = this.#recent;
    this.#recent = new Map();
  }

  get(stats: BigIntStats): BlobId | undefined {
    const key = keyOf(stats);
    const known = this.#recent.get(key) ?? this.#earlier.get(key);
    if (known === undefined || !isUnchanged(known.stats, stats)) return undefined;
    this.#recent.set(key, known);
    return known.blob;
  }

  /** Reads a file's content, and remembers it if its times are reliable. */
  async learn(stats: BigIntStats, read: () => Promise<BlobId>): Promise<BlobId> {
    const isSettled = Number(stats.ctimeMs) + FILE_TIME_STEP_MS <= this.#clock.now();
    const blob = await read();
    if (isSettled) this.#recent.set(keyOf(stats), { blob, stats });
    return blob;
  }
}

function keyOf({ dev, ino }: BigIntStats): string {
  return `${String(dev)}:${String(ino)}`;
}

function isUnchanged(a: BigIntStats, b: BigIntStats): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}
