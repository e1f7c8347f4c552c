/**
 * Runs the calls within one call as if one ran after the other, in the order in which they were made: those that may run
 * together do; every other one waits for all before it, and all after it wait for it (decision 29).
 */
export class Sequencer {
  /** The end of the last call that ran alone. */
  #alone: Promise<unknown> = Promise.resolve();
  readonly #together = new Set<Promise<unknown>>();

  run<T>(mayRunTogether: boolean, begin: () => Promise<T>): Promise<T> {
    const turn = mayRunTogether ? this.#alone : Promise.all([this.#alone, ...this.#together]);
    const outcome = turn.then(begin);
    const ended = outcome.then(ignoreResult, ignoreResult);
    if (mayRunTogether) {
      this.#together.add(ended);
      void ended.then(() => this.#together.delete(ended));
    } else this.#alone = ended;
    return outcome;
  }
}

function ignoreResult(): void {
  // How a call ended concerns its caller alone.
}
