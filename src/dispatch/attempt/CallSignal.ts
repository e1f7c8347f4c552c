/**
 * The signal of one call, made on first use, since most handlers need none. It is aborted as well if the call that it is nested
 * in is rolled back.
 */
export class CallSignal {
  #controller: AbortController | undefined;
  #reason: { readonly value: unknown } | undefined;
  #nested: CallSignal[] | undefined;

  constructor(parent?: CallSignal) {
    if (parent !== undefined) (parent.#nested ??= []).push(this);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason.value);
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.#reason !== undefined) return;
    this.#reason = { value: reason };
    this.#controller?.abort(reason);
    for (const nested of this.#nested ?? []) nested.abort(reason);
  }
}
