import { memoize } from '../../common/memoize.js';
import { allowManyListeners } from '../../limit/raceLimits.js';

/**
 * The abort signal of one call, created on first use, since most handlers need none. Rolling back the enclosing call aborts it as
 * well.
 */
export class LinkedSignal {
  #controller: AbortController | undefined;
  #reason: (() => unknown) | undefined;
  #nested: LinkedSignal[] | undefined;

  constructor(parent?: LinkedSignal) {
    if (parent === undefined) return;
    this.#reason = parent.#reason;
    (parent.#nested ??= []).push(this);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason());
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#abort(() => reason);
  }

  /** Aborts with the reason that the call was rolled back. */
  rollBack(): void {
    // An exception takes longer to create than most calls, and most calls have no listener that reads it.
    this.#abort(memoize(() => new DOMException('The call was rolled back.', 'AbortError')));
  }

  #abort(reason: () => unknown): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason());
    for (const nested of this.#nested ?? []) nested.#abort(reason);
  }
}

/**
 * Aborts a controller with a signal, until the returned function is called. Does not use `AbortSignal.any`: in Node 20, a signal
 * that lives as long as the process keeps every signal made from it.
 */
export function relayAbort(from: AbortSignal | undefined, to: AbortController): () => void {
  if (from === undefined) return () => undefined;
  const giveUp = (): void => {
    to.abort(from.reason);
  };
  if (from.aborted) giveUp();
  allowManyListeners(from).addEventListener('abort', giveUp, { once: true });
  return () => {
    from.removeEventListener('abort', giveUp);
  };
}
