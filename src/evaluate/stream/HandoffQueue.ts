interface Waiting<T> {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Hands over one item after the other: each producer waits until the reader asks for the next item. */
export class HandoffQueue<T> implements AsyncIterable<T> {
  readonly #waiting: Waiting<T>[] = [];
  #end: { readonly reason: unknown } | undefined;
  #wake: () => void = () => undefined;

  /** Adds an item. Resolves once it has been read and the next one is asked for; rejects with the reason once this has ended. */
  enqueue(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#end === undefined) this.#wake();
      else this.#refuse(this.#end.reason);
    });
  }

  /** Ends the queue: no item is handed over any more, and waiting producers are rejected with the reason. */
  end(reason: unknown): void {
    this.#end ??= { reason };
    this.#refuse(this.#end.reason);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    while (this.#end === undefined) {
      const [next] = this.#waiting;
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else {
        yield next.item;
        this.#waiting.shift();
        next.resolve();
      }
    }
  }

  #refuse(reason: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }
}
