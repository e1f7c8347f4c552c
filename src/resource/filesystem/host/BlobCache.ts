import type { BigIntStats } from 'node:fs';
import type { Clock } from '../../../interface/Clock.js';
import type { BlobId } from './SavedEntry.js';

/**
 * A file's times move in steps, of milliseconds to two seconds as the disk has it: whoever changes it twice within one step
 * leaves the same times, and maybe the same size. So its times say something only once they are that old.
 */
const STEP_MS = 2_000;

interface Known {
  readonly blob: BlobId;
  readonly stats: BigIntStats;
}

/** Which content a file has that did not change since it was read. */
export class BlobCache {
  readonly #clock: Clock;
  #recent = new Map<string, Known>();
  #earlier = new Map<string, Known>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Forgets what nobody has asked for since the last turn, so that files which are gone take no room. */
  turn(): void {
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

  /** Reads a file's content, and remembers it if that can be relied on. */
  async learn(stats: BigIntStats, read: () => Promise<BlobId>): Promise<BlobId> {
    const isSettled = Number(stats.ctimeMs) + STEP_MS <= this.#clock.now();
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
