import { afterPromises, inNextTurn, readMonotonicMs } from './builtins.js';
import { TIME_SLICE_MS } from './limits.js';

/**
 * Splits long work into pieces, between which other work of the process can run.
 *
 * @example
 * const slice = new TimeSlice(signal);
 * for (const file of files) {
 *   if (slice.isOver) await slice.next();
 *   search(file);
 * }
 */
export class TimeSlice {
  readonly #signal: AbortSignal | undefined;
  readonly #longestMs: number;
  #startedAt = readMonotonicMs();

  /** @param signal ends the work between two pieces */
  constructor(signal?: AbortSignal, longestMs = TIME_SLICE_MS) {
    this.#signal = signal;
    this.#longestMs = longestMs;
  }

  get isOver(): boolean {
    return readMonotonicMs() - this.#startedAt > this.#longestMs;
  }

  /**
   * Waits for the next turn of the event loop.
   *
   * @throws the reason of the signal, if it is aborted
   */
  async next(): Promise<void> {
    await new Promise((resolve) => inNextTurn(resolve));
    this.#signal?.throwIfAborted();
    this.#startedAt = readMonotonicMs();
  }
}

/** Lets work that arrives together begin in order and in pieces, between which other work can run. */
export class Turns {
  readonly #slice: TimeSlice;
  #begun: Promise<void> = Promise.resolve();

  /** @param longestMs milliseconds of a piece; with 0, each piece begins in its own turn */
  constructor(longestMs?: number) {
    this.#slice = new TimeSlice(undefined, longestMs);
  }

  /** Settles when the next piece of work may begin. */
  next(): Promise<void> {
    return (this.#begun = this.#begun.then(async () => {
      // Work that has begun continues in the callbacks of settled promises, and counts towards its piece.
      await new Promise<void>((resolve) => afterPromises(resolve));
      if (this.#slice.isOver) await this.#slice.next();
    }));
  }
}
