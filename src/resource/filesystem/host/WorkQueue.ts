/** Runs exclusive work one after the other, and tracks when everything has ended. */
export class WorkQueue {
  readonly #running = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work when all earlier exclusive work has ended, successfully or not. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return this.beside(() => result);
  }

  /** Runs the work at once, concurrently with other work. */
  beside<T>(work: () => Promise<T>): Promise<T> {
    const result = work();
    const ended = result.catch(() => undefined).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return result;
  }

  /** Resolves when all work so far has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
