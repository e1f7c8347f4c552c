import type { ModelResponse } from '../interface/ModelAdapter.js';
import type { Message } from '../value/Message.js';
import type { RunEmitter } from './stream/RunEmitter.js';

/** What was said in a run so far; whoever reads the run as a stream is told what is added. */
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

  /** The model has answered. */
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

  /** Calls were answered. */
  called(answers: readonly Message[]): void {
    this.#messages.push(...answers);
  }

  /** The run itself tells the model something. */
  async noted(content: string): Promise<void> {
    this.#messages.push({ role: 'user', content });
    await this.#emitter?.noted(content);
  }
}
