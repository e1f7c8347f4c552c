import type { NoteAdded } from '../interface/RunStore.js';
import type { ModelResponse } from '../interface/ModelAdapter.js';
import type { Message } from '../value/Message.js';
import { createAssistantMessage } from './conversation/createMessages.js';
import type { RunLog } from './conversation/RunLog.js';
import type { StepEmitter } from './stream/StepEmitter.js';

/** The messages that a run sends: those of its conversation, and what it appends. Its emitter is notified of each. */
export class LoopMessages {
  #messages: Message[];
  /** The turns before it are in the messages that the run began with. */
  readonly #from: number;
  readonly #log: RunLog | undefined;
  readonly #emitter: StepEmitter | undefined;

  /** @param from the first turn whose messages are not among those that the run begins with */
  constructor(messages: readonly Message[], from: number, log: RunLog | undefined, emitter: StepEmitter | undefined) {
    this.#messages = [...messages];
    this.#from = from;
    this.#log = log;
    this.#emitter = emitter;
  }

  get all(): readonly Message[] {
    return this.#messages;
  }

  /** Adds an answer of the model. */
  async addAnswer(turn: number, response: ModelResponse): Promise<void> {
    if (turn >= this.#from) this.#messages.push(this.#log?.messageOf(turn) ?? createAssistantMessage(response));
    await this.#emitter?.emitAnswer(response);
  }

  /** Adds the outcomes of calls. */
  addOutcomes(turn: number, answers: readonly Message[]): void {
    if (turn >= this.#from) this.#messages.push(...answers);
  }

  /** Goes on with other messages: those of a new segment. */
  replace(messages: readonly Message[]): void {
    this.#messages = [...messages];
  }

  /**
   * Adds a note of the run to the model: the recorded one, or one that is due now.
   *
   * @returns true if there is one
   */
  async addNote(turn: number, about: NoteAdded['about'], due: () => string | undefined): Promise<boolean> {
    const write = (): NoteAdded['message'] | undefined => {
      const content = due();
      return content === undefined ? undefined : { role: 'user', content, note: AUTHORS[about] };
    };
    const message = this.#log === undefined ? write() : this.#log.note(turn, about, write);
    if (message === undefined) return false;
    if (turn >= this.#from) this.#messages.push(message);
    await this.#emitter?.emitNote(message);
    return true;
  }
}

/** Whose words a note holds: only Toolwright's own may be sent with the operator's authority. */
const AUTHORS: Readonly<Record<NoteAdded['about'], 'operator' | 'application'>> = {
  limits: 'operator',
  answer: 'application',
  verdict: 'application',
};
