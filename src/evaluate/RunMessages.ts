import type { NoteAdded } from '../interface/RunStore.js';
import type { ModelResponse } from '../interface/ModelAdapter.js';
import type { Message } from '../value/Message.js';
import { assistantMessage } from './conversation/foldEntries.js';
import type { RunLog } from './conversation/RunLog.js';
import type { RunEmitter } from './stream/RunEmitter.js';

/** The messages that a run sends: those of its conversation, and what it appends. Its emitter is notified of each. */
export class RunMessages {
  readonly #messages: Message[];
  readonly #log: RunLog | undefined;
  readonly #emitter: RunEmitter | undefined;

  constructor(messages: readonly Message[], log: RunLog | undefined, emitter: RunEmitter | undefined) {
    this.#messages = [...messages];
    this.#log = log;
    this.#emitter = emitter;
  }

  get all(): readonly Message[] {
    return this.#messages;
  }

  /** Adds an answer of the model. */
  async answered(response: ModelResponse): Promise<void> {
    this.#messages.push(assistantMessage(response));
    await this.#emitter?.answered(response);
  }

  /** Adds the outcomes of calls. */
  called(answers: readonly Message[]): void {
    this.#messages.push(...answers);
  }

  /**
   * Adds a note of the run to the model: the recorded one, or one that is due now.
   *
   * @returns true if there is one
   */
  async noted(turn: number, about: NoteAdded['about'], due: () => string | undefined): Promise<boolean> {
    const write = (): NoteAdded['message'] | undefined => {
      const content = due();
      return content === undefined ? undefined : { role: 'user', content, note: AUTHORS[about] };
    };
    const message = this.#log === undefined ? write() : this.#log.note(turn, about, write);
    if (message === undefined) return false;
    this.#messages.push(message);
    await this.#emitter?.noted(message);
    return true;
  }
}

/** Whose words a note holds: only Toolwright's own may be sent with the operator's authority. */
const AUTHORS: Readonly<Record<NoteAdded['about'], 'operator' | 'application'>> = {
  limits: 'operator',
  answer: 'application',
  verdict: 'application',
};
