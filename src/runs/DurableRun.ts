import type { PromptResponse } from '../evaluate/RunOptions.js';
import type { RunRecord } from '../interface/RunRecords.js';
import type { EventOptions } from './RunEvents.js';
import type { RunStreamEvent } from './RunStreamEvent.js';

/** What a run is read with. */
interface RunReader {
  get(id: string): Promise<RunRecord>;
  result(id: string, options: { readonly signal?: AbortSignal | undefined }): Promise<PromptResponse>;
  events(id: string, options: EventOptions): AsyncGenerator<RunStreamEvent, void>;
}

/** A run that was started, here or elsewhere. */
export class DurableRun {
  readonly id: string;
  readonly conversation: string;
  readonly #runs: RunReader;

  /** @internal */
  constructor({ id, conversation }: RunRecord, runs: RunReader) {
    this.id = id;
    this.conversation = conversation;
    this.#runs = runs;
  }

  /** Reads how far it is. @throws PromptEvaluationError E738 once it was pruned */
  record(): Promise<RunRecord> {
    return this.#runs.get(this.id);
  }

  /**
   * Waits for its response.
   *
   * @throws PromptEvaluationError E740 if it ends without one, or the reason of the signal
   */
  result(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<PromptResponse> {
    return this.#runs.result(this.id, options);
  }

  /** Its events, from its first entry on or after the given place. */
  events(options: EventOptions = {}): AsyncGenerator<RunStreamEvent, void> {
    return this.#runs.events(this.id, options);
  }
}
