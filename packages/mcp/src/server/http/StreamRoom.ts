import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_ROOM_CHECKS, ROOM_CHECK_MS } from '../../limits.js';
import { McpServerError } from '../McpServerError.js';

/** Checks whether the client of a stream reads it. A handler may write much at once, and a client can only read it afterwards. */
export class StreamRoom {
  readonly #isFull: () => boolean;
  readonly #cut: () => void;
  #waiting: Promise<void> | undefined;
  #isCut = false;

  /**
   * @param isFull checks whether the stream holds as many unread bytes as it may
   * @param cut ends the source of the stream
   */
  constructor(isFull: () => boolean, cut: () => void) {
    this.#isFull = isFull;
    this.#cut = cut;
  }

  /** Begins to wait for the client if the stream is full. Call it before each part, so that one part always has room. */
  check(): void {
    if (this.#isFull()) this.#waiting ??= this.#wait();
  }

  /**
   * Resolves when the client has read enough.
   *
   * @throws McpServerError E695 if it has not read enough in time
   */
  async requireReading(): Promise<void> {
    await this.#waiting;
    if (!this.#isCut) return;
    throw new McpServerError('the client does not read its stream', { code: 'E695', place: 'http.maxUnreadBytes' });
  }

  async #wait(): Promise<void> {
    // Counts looks, not time: a process that was held up for a while has not given the client time to read.
    for (let looks = 0; looks < MAX_ROOM_CHECKS && this.#isFull(); looks++) await sleep(ROOM_CHECK_MS);
    this.#waiting = undefined;
    if (!this.#isFull()) return;
    this.#isCut = true;
    this.#cut();
  }
}
