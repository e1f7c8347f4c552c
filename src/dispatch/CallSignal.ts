/**
 * The signal of one call: made when first asked for, since most handlers never do. When the call that it is nested in is
 * rolled back, it is aborted as well.
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
