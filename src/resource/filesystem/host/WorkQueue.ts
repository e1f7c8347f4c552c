/** Lets what must not meet run one after the other, and knows when everything has ended. */
export class WorkQueue {
  readonly #running = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work when everything that was given here before has ended, well or not. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return this.beside(() => result);
  }

  /** Runs the work at once. */
  beside<T>(work: () => Promise<T>): Promise<T> {
    const result = work();
    const ended = result.catch(() => undefined).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return result;
  }

  /** Resolves when all that was given so far has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
