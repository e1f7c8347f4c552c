import type { LogEntry, ModelAnswered, RunBegan } from '../../interface/RunStore.js';
import { firstPositions } from '../../value/firstPositions.js';
import type { Message } from '../../value/Message.js';
import { assistantMessage } from './loopMessages.js';
import { callId } from './openCalls.js';

/** A run that has not ended: what is recorded of it, and the messages that this amounts to. */
export class OpenRun {
  readonly began: RunBegan;
  /** Grows as the run goes on: to copy it for each entry would cost the square of their number. */
  readonly entries: LogEntry[];
  /** The first turn whose messages are not in the messages that the run begins with: 1, or the one of a later segment. */
  readonly from: number;
  /** All but the outcomes of the last answer. */
  readonly #messages: Message[] = [];
  readonly #answers: Message[] = [];
  readonly #outcomes = new Map<string, Message>();
  #last: ModelAnswered | undefined;

  /** @param before the entries before the segment that begins with the turn */
  constructor(began: RunBegan, before: readonly LogEntry[] = [], from = 1) {
    this.began = began;
    this.entries = [...before];
    this.from = from;
  }

  add(entry: LogEntry): void {
    this.entries.push(entry);
    switch (entry.kind) {
      case 'answer': {
        const message = assistantMessage(entry);
        this.#answers[entry.turn] = message;
        this.#begin(message, entry);
        return;
      }
      case 'note':
        this.#begin(entry.message, undefined);
        return;
      case 'outcome':
        this.#outcomes.set(entry.call, entry.message);
        return;
      default:
    }
  }

  /** The messages since the turn `from`, as they are sent. */
  get messages(): readonly Message[] {
    return [...this.#messages, ...this.#lastOutcomes()];
  }

  /** The message of the answer of a turn: the one that is in `messages`. */
  answer(turn: number): Message | undefined {
    return this.#answers[turn];
  }

  /** The message that answers a call, e.g. `2.1`: the one that is in `messages`. */
  outcome(call: string): Message | undefined {
    return this.#outcomes.get(call);
  }

  #begin(message: Message, answer: ModelAnswered | undefined): void {
    if (this.#last !== undefined) this.#messages.push(...this.#lastOutcomes());
    this.#messages.push(message);
    this.#last = answer;
  }

  /** In the order of the calls; a call that was sent twice has the outcome of the first. */
  #lastOutcomes(): readonly Message[] {
    if (this.#last === undefined) return [];
    const { turn, toolCalls } = this.#last;
    return firstPositions(toolCalls).flatMap((first) => this.#outcomes.get(callId(turn, first)) ?? []);
  }
}
