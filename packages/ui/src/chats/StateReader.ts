import type { JsonValue } from 'toolwright';
import type { AbstractConstructor } from 'toolwright/types';
import type { Runs } from '@toolwright/durable';

/** State classes that the host shows, by the name under which clients get their values. */
export type ShownSlices = Readonly<Record<string, AbstractConstructor<unknown>>>;

/** The values of each shown slice, the oldest first. */
export type ShownState = Readonly<Record<string, readonly JsonValue[]>>;

/** Reads the slices that the host shows, as they are now; a run that goes on may be ahead of the event that a client reads. */
export class StateReader {
  readonly #runs: Pick<Runs, 'run'>;
  readonly #slices: ShownSlices;
  readonly #run: string;
  #version: number | undefined;
  #state: ShownState = {};

  constructor(runs: Pick<Runs, 'run'>, run: string, slices: ShownSlices) {
    this.#runs = runs;
    this.#run = run;
    this.#slices = slices;
  }

  /** The state as it was last read. */
  get state(): ShownState {
    return this.#state;
  }

  /**
   * Reads the state, which costs a pass over the log.
   *
   * @returns false if it is the same as before
   * @throws errors of `DurableRun.session`, unchanged
   */
  async refresh(): Promise<boolean> {
    const { session, version } = await (await this.#runs.run(this.#run)).session();
    if (version === this.#version) return false;
    this.#version = version;
    const entries = Object.entries(this.#slices).map(([name, slice]) => [name, session.slice(slice).all()]);
    // A copy without classes, which later changes of the session do not reach.
    const state = JSON.parse(JSON.stringify(Object.fromEntries(entries))) as ShownState;
    const isSame = JSON.stringify(state) === JSON.stringify(this.#state);
    this.#state = state;
    return !isSame;
  }
}

/** True for an event after which the session may have changed. */
export function mayChangeState({ kind }: { readonly kind: string }): boolean {
  return kind === 'outcome' || kind === 'end';
}
