import type { CallEnded, LogEntry, ModelAnswered, RunBegan } from '../../interface/RunStore.js';
import { findFirstPositions, type ToolCall } from '../../value/ToolCall.js';
import type { Message } from '../../value/Message.js';
import { createAssistantMessage } from './createMessages.js';
import { parsePosition } from './listOpenCalls.js';

/** An answer, and the outcomes of its calls so far. */
interface Turn {
  readonly message: Message;
  readonly toolCalls: readonly ToolCall[];
  /** By the positions of the calls; a hole for one that has not ended. */
  readonly outcomes: Message[];
}

/** A run that has not ended: what is recorded of it, and the messages that this amounts to. */
export class OpenRun {
  readonly began: RunBegan;
  /** Grows as the run goes on: to copy it for each entry would cost the square of their number. */
  readonly entries: LogEntry[];
  /** The first turn whose messages are not in the messages that the run begins with: 1, or the one of a later segment. */
  readonly from: number;
  /** All but the outcomes of the last answer. */
  readonly #messages: Message[] = [];
  readonly #turns: Turn[] = [];
  /** The turn whose outcomes are not in the messages yet. */
  #last: Turn | undefined;

  /** @param entries of the run so far; the list is taken over */
  constructor(began: RunBegan, entries: LogEntry[] = [], from = 1) {
    this.began = began;
    this.entries = entries;
    this.from = from;
  }

  /** The same run, from the segment on that begins with a turn. This object is not used any more. */
  continueFrom(turn: number): OpenRun {
    return new OpenRun(this.began, this.entries, turn);
  }

  add(entry: LogEntry): void {
    this.entries.push(entry);
    switch (entry.kind) {
      case 'answer':
        this.#begin(entry);
        return;
      case 'note':
        this.#close();
        this.#messages.push(entry.message);
        return;
      case 'outcome':
        if (this.#last !== undefined) putOutcome(this.#last, entry);
        return;
      default:
    }
  }

  /** The messages since the turn `from`, as they are sent. */
  get messages(): readonly Message[] {
    return this.#last === undefined ? [...this.#messages] : [...this.#messages, ...mapOutcomes(this.#last)];
  }

  /** The message of the answer of a turn: the one that is in `messages`. */
  answer(turn: number): Message | undefined {
    return this.#turns[turn]?.message;
  }

  /** The message that answers a call, by its position in the answer of a turn: the one that is in `messages`. */
  getOutcome(turn: number, position: number): Message | undefined {
    return this.#turns[turn]?.outcomes[position];
  }

  #begin(answer: ModelAnswered): void {
    this.#close();
    const message = createAssistantMessage(answer);
    this.#messages.push(message);
    this.#last = { message, toolCalls: answer.toolCalls, outcomes: [] };
    this.#turns[answer.turn] = this.#last;
  }

  #close(): void {
    if (this.#last !== undefined) this.#messages.push(...mapOutcomes(this.#last));
    this.#last = undefined;
  }
}

/** The place of an outcome says which call it is of: a provider refuses the result of a call that it has not made. */
function putOutcome({ toolCalls, outcomes }: Turn, { call, message }: CallEnded): void {
  const position = parsePosition(call);
  const { id = message.toolCallId } = toolCalls[position] ?? {};
  outcomes[position] = message.toolCallId === id ? message : { ...message, toolCallId: id };
}

/** In the order of the calls; a call that was sent twice has the outcome of the first. */
function mapOutcomes({ toolCalls, outcomes }: Turn): readonly Message[] {
  const isEachOwn = outcomes.length === toolCalls.length && !(outcomes as readonly unknown[]).includes(undefined);
  if (isEachOwn) return outcomes;
  return findFirstPositions(toolCalls).flatMap((first) => outcomes[first] ?? []);
}
