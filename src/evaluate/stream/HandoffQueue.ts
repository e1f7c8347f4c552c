interface Waiting<T> {
  readonly item: T;
  readonly goOn: () => void;
  readonly giveUp: (reason: unknown) => void;
}

/** Hands over one item after the other: whoever brings one waits until the reader asks for the next. */
export class HandoffQueue<T> implements AsyncIterable<T> {
  readonly #waiting: Waiting<T>[] = [];
  #end: { readonly reason: unknown } | undefined;
  #wake: () => void = () => undefined;

  /** Resolves once the item has been read and the next one is asked for; rejects with the reason once this has ended. */
  bring(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, goOn: resolve, giveUp: reject });
      if (this.#end === undefined) this.#wake();
      else this.#refuse(this.#end.reason);
    });
  }

  /** Nothing is handed over from now on; whoever still waits is told why. */
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
        next.goOn();
      }
    }
  }

  #refuse(reason: unknown): void {
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(reason);
  }
}
