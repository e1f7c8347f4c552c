import type { RunEntry } from '../../interface/RunEntry.js';

/** A message to a run that goes on. */
export type SteeringMessage = Pick<RunEntry<'steering'>, 'id' | 'message'>;

/** The messages that wait until the run of a conversation reaches its next boundary. */
export class SteeringQueue {
  readonly #waiting: SteeringMessage[] = [];
  /** The ids of all messages that came: a client that repeats its request is heard once. */
  readonly #known: Set<string>;

  constructor(entries: readonly RunEntry[]) {
    this.#known = new Set(entries.flatMap((entry) => (entry.kind === 'steering' ? [entry.id] : [])));
  }

  /** Returns false for a message that has come before. */
  add(steering: SteeringMessage): boolean {
    if (this.#known.has(steering.id)) return false;
    this.#known.add(steering.id);
    this.#waiting.push(steering);
    return true;
  }

  /** The messages that wait, in the order in which they came. */
  get waiting(): readonly SteeringMessage[] {
    return this.#waiting;
  }

  /** Removes the first messages, once they are recorded. */
  remove(count: number): void {
    this.#waiting.splice(0, count);
  }
}
