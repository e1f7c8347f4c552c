import { isThenable } from '../common/classes.js';
import type { Awaitable } from '../common/types.js';
import { createPromptError } from '../error/PromptError.js';

/**
 * Counts the work that runs in an application. While it is closing, new work is refused; it closes when all work has
 * ended.
 */
export class Lifetime {
  #running = 0;
  #closing: Promise<void> | undefined;
  #lastEnded: (() => void) | undefined;

  /** @throws PromptError E410 after `close` was called */
  async run<T>(work: () => Awaitable<T>): Promise<T> {
    if (this.#closing !== undefined)
      throw createPromptError('the application has been closed', { code: 'E410', place: 'Application' });
    this.#running++;
    try {
      const running = work();
      // Awaiting a call that has ended takes as long as parsing its arguments.
      return isThenable(running) ? await running : running;
    } finally {
      if (--this.#running === 0) this.#lastEnded?.();
    }
  }

  /** Waits until all work has ended, and then runs `last`; later calls wait for the same run. */
  close(last: () => Promise<void>): Promise<void> {
    return (this.#closing ??= this.#waitUntilIdle().then(last));
  }

  async #waitUntilIdle(): Promise<void> {
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#lastEnded = resolve;
    });
  }
}
