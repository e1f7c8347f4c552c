import { afterPromises, inNextTurn } from './builtins.js';
import { TIME_SLICE_MS } from './limits.js';

/**
 * Long work in pieces: after each piece, other work of the process gets its turn.
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
  #startedAt = performance.now();

  /**
   * @param signal ends the work between two pieces
   * @param longestMs milliseconds of a piece
   */
  constructor(signal?: AbortSignal, longestMs = TIME_SLICE_MS) {
    this.#signal = signal;
    this.#longestMs = longestMs;
  }

  get isOver(): boolean {
    return performance.now() - this.#startedAt > this.#longestMs;
  }

  /** Waits for the next turn of the event loop. @throws the reason of the signal, once it is aborted */
  async next(): Promise<void> {
    await new Promise((resolve) => inNextTurn(resolve));
    this.#signal?.throwIfAborted();
    this.#startedAt = performance.now();
  }
}

/** Has work that arrives together begin in order and in pieces, between which other work gets its turn. */
export class Turns {
  readonly #slice: TimeSlice;
  #begun: Promise<void> = Promise.resolve();

  /** @param longestMs milliseconds of a piece; 0 if each begins in a turn of its own */
  constructor(longestMs?: number) {
    this.#slice = new TimeSlice(undefined, longestMs);
  }

  /** Settles when the next piece of work may begin. */
  next(): Promise<void> {
    return (this.#begun = this.#begun.then(async () => {
      await promisesHaveRun();
      if (this.#slice.isOver) await this.#slice.next();
    }));
  }
}

/** Settles when all that was waiting for settled promises has run: work that has begun goes on there, and counts in its piece. */
function promisesHaveRun(): Promise<void> {
  return new Promise((resolve) => afterPromises(resolve));
}
