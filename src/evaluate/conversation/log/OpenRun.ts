import type { RunEntry } from '../../../interface/RunEntry.js';
import { findFirstPositions, type ToolCall } from '../../../value/ToolCall.js';
import type { Message } from '../../../value/Message.js';
import { createAssistantMessage, describeForm } from '../prefix/createMessages.js';
import { parsePosition } from './listOpenCalls.js';

/** An answer, and the outcomes of its calls so far. */
interface Turn {
  readonly message: Message;
  readonly toolCalls: readonly ToolCall[];
  /** By the positions of the calls; a hole for one that has not ended. */
  readonly outcomes: Message[];
}

const NO_MESSAGES: readonly Message[] = [];

/** A run that has not ended: its recorded entries, and the messages that follow from them. */
export class OpenRun {
  readonly began: RunEntry<'run'>;
  /** The model with which it began. */
  readonly model: RunEntry<'model'> | undefined;
  /** Grows as the run goes on: to copy it for each entry would cost the square of their number. */
  readonly entries: RunEntry[];
  /** The first turn that the run did not begin with: 1, or the turn of a later segment. */
  readonly from: number;
  /** All but the outcomes of the last answer. */
  readonly #messages: Message[] = [];
  /** The last turn: its outcomes are not in the messages yet. */
  #last: Turn | undefined;

  /** @param entries of the run so far; the list is taken over */
  constructor(
    began: RunEntry<'run'>,
    model?: RunEntry<'model'>,
    { entries = [], from = 1 }: Partial<Pick<OpenRun, 'entries' | 'from'>> = {},
  ) {
    this.began = began;
    this.model = model;
    this.entries = entries;
    this.from = from;
  }

  /** The same run, from a segment on. This object is not used any more. */
  continueFrom(segment: RunEntry<'segment'>): OpenRun {
    const { entries } = this;
    entries.push(segment);
    return new OpenRun(this.began, this.model, { entries, from: segment.turn });
  }

  add(entry: RunEntry): void {
    this.entries.push(entry);
    switch (entry.kind) {
      case 'answer':
        this.#begin(entry);
        return;
      case 'note':
      case 'steering':
        this.#close();
        this.#messages.push(entry.message);
        return;
      case 'model':
        if (entry.output === undefined) return;
        this.#close();
        this.#messages.push(describeForm(entry.output));
        return;
      case 'outcome':
        if (this.#last !== undefined) putOutcome(this.#last, entry);
        return;
      default:
    }
  }

  /** The messages since the turn `from`, as they are sent. */
  get messages(): readonly Message[] {
    return this.markMessages([])();
  }

  /** Returns a function that lists earlier messages and those since the turn `from` as they are now, in a new list. Both may grow later. */
  markMessages(earlier: readonly Message[]): () => readonly Message[] {
    const own = this.#messages;
    const earlierCount = earlier.length;
    const ownCount = own.length;
    const outcomes = this.#last === undefined ? NO_MESSAGES : mapOutcomes(this.#last);
    // A long list is copied once: most lists have not grown when they are asked for.
    return () => limitTo(earlier, earlierCount).concat(limitTo(own, ownCount), outcomes);
  }

  #begin(answer: RunEntry<'answer'>): void {
    this.#close();
    const message = createAssistantMessage(answer);
    this.#messages.push(message);
    this.#last = { message, toolCalls: answer.toolCalls, outcomes: [] };
  }

  #close(): void {
    if (this.#last !== undefined) this.#messages.push(...mapOutcomes(this.#last));
    this.#last = undefined;
  }
}

function limitTo(messages: readonly Message[], count: number): readonly Message[] {
  return messages.length === count ? messages : messages.slice(0, count);
}

/** The place of an outcome says which call it is of: a provider refuses the result of a call that it has not made. */
function putOutcome({ toolCalls, outcomes }: Turn, { call, message }: RunEntry<'outcome'>): void {
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
