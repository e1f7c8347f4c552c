/** Handles Ctrl-C: calls the latest handler, or aborts the command if there is none. The second Ctrl-C ends the process. */
export class Interrupts {
  readonly #handlers: (() => void)[] = [];
  readonly #command = new AbortController();
  readonly #exit: (code: number) => void;

  constructor(exit: (code: number) => void) {
    this.#exit = exit;
  }

  /** Aborted by Ctrl-C, unless a handler handles it. */
  get signal(): AbortSignal {
    return this.#command.signal;
  }

  /** Calls the handler instead of aborting the command, until the returned function is called. */
  handle(handler: () => void): () => void {
    this.#handlers.push(handler);
    return () => {
      const at = this.#handlers.indexOf(handler);
      if (at >= 0) this.#handlers.splice(at, 1);
    };
  }

  /** Handles one SIGINT. */
  interrupt(): void {
    const handler = this.#handlers.pop();
    if (handler !== undefined) handler();
    else if (this.#command.signal.aborted) this.#exit(130);
    else {
      this.#command.abort(new DOMException('It was interrupted.', 'AbortError'));
      // Work that does not react to the signal in time is ended with the process.
      setTimeout(() => {
        this.#exit(130);
      }, 2_000).unref();
    }
  }
}
