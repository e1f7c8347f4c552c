import type { Awaitable } from '../../common/types.js';

const ignore = (): void => undefined;

/**
 * Runs the calls that are made within one call with the same outcome as if they ran in order: calls that may run together do; any
 * other call waits for all before it, and all after it wait for it (decision 29).
 */
export class Sequencer {
  /** Settles when the last call that ran by itself has ended. */
  #alone: Promise<unknown> = Promise.resolve();
  readonly #together = new Set<Promise<unknown>>();

  run<T>(mayRunTogether: boolean, begin: () => Awaitable<T>): Promise<T> {
    const turn = mayRunTogether ? this.#alone : Promise.all([this.#alone, ...this.#together]);
    const outcome = turn.then(begin);
    // Only the caller handles the outcome of a call.
    const ended = outcome.then(ignore, ignore);
    if (mayRunTogether) {
      this.#together.add(ended);
      void ended.then(() => this.#together.delete(ended));
    } else this.#alone = ended;
    return outcome;
  }
}
