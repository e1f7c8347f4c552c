import type { RunEntry } from '../../interface/RunEntry.js';
import type { SteeringMessage, WaitingMessage } from '../../interface/RunStore.js';

/** A message of this process, or of a store with the run that it was sent to. */
export type QueuedMessage = SteeringMessage & Partial<Pick<WaitingMessage, 'run'>>;

/** The messages that wait until the run of a conversation reaches its next boundary. */
export class SteeringQueue {
  readonly #waiting: QueuedMessage[] = [];
  /** The ids of all messages that came: a client that repeats its request is heard once. */
  readonly #known: Set<string>;

  constructor(entries: readonly RunEntry[]) {
    this.#known = new Set(listSteered(entries));
  }

  /** Returns false for a message that has come before. */
  add(steering: QueuedMessage): boolean {
    if (this.#known.has(steering.id)) return false;
    this.#known.add(steering.id);
    this.#waiting.push(steering);
    return true;
  }

  /** The messages that wait, in the order in which they came. */
  get waiting(): readonly QueuedMessage[] {
    return this.#waiting;
  }

  /** Removes the first messages, once they are recorded. */
  remove(count: number): void {
    this.#waiting.splice(0, count);
  }
}

/** Lists the ids of the messages to runs that entries record. */
export function listSteered(entries: readonly RunEntry[]): readonly string[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'steering') return [entry.id];
    return entry.kind === 'run' ? (entry.steered ?? []) : [];
  });
}
