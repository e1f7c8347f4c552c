import type { ModelResponse } from '../interface/ModelAdapter.js';
import type { Message } from '../value/Message.js';
import type { RunEmitter } from './stream/RunEmitter.js';

/** The messages of a run so far; the emitter, if there is one, is notified of each that is added. */
export class Conversation {
  readonly #messages: Message[];
  readonly #emitter: RunEmitter | undefined;

  constructor(system: string, messages: readonly Message[], emitter: RunEmitter | undefined) {
    this.#messages = [{ role: 'system', content: system }, ...messages];
    this.#emitter = emitter;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Adds an answer of the model. */
  async answered(response: ModelResponse): Promise<void> {
    const { text, toolCalls, native } = response;
    this.#messages.push({
      role: 'assistant',
      content: text,
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(native === undefined ? {} : { native }),
    });
    await this.#emitter?.answered(response);
  }

  /** Adds the outcomes of calls. */
  called(answers: readonly Message[]): void {
    this.#messages.push(...answers);
  }

  /** Adds a note of the run to the model. */
  async noted(content: string): Promise<void> {
    this.#messages.push({ role: 'user', content });
    await this.#emitter?.noted(content);
  }
}
