import { memoize } from '../../common/memoize.js';
import type { Message } from '../../value/Message.js';
import type { PromptResponse } from '../RunOptions.js';

/** The response of a run. Its transcript is made, without secrets, when it is read. */
export class LazyResponse implements PromptResponse {
  readonly text: PromptResponse['text'];
  readonly output: unknown;
  readonly finishReason: PromptResponse['finishReason'];
  readonly usage: PromptResponse['usage'];
  readonly requests: PromptResponse['requests'];
  readonly adapters: PromptResponse['adapters'];
  readonly cost: PromptResponse['cost'];
  readonly turns: number;
  readonly complete: boolean;
  declare readonly transcript: readonly Message[];
  readonly #transcript: () => readonly Message[];

  constructor(fields: Omit<PromptResponse, 'transcript'>, transcript: () => readonly Message[]) {
    this.text = fields.text;
    this.output = fields.output;
    this.finishReason = fields.finishReason;
    this.usage = fields.usage;
    this.requests = fields.requests;
    this.adapters = fields.adapters;
    this.cost = fields.cost;
    this.turns = fields.turns;
    this.complete = fields.complete;
    this.#transcript = memoize(transcript);
    // Its own, so that copies have it; the same getter for all responses (decision 60).
    Object.defineProperty(this, 'transcript', LazyResponse.#property);
  }

  static readonly #property: PropertyDescriptor = {
    enumerable: true,
    get(this: LazyResponse) {
      return this.#transcript();
    },
  };
}
