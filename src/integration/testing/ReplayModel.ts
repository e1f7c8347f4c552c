import { isDeepStrictEqual } from 'node:util';
import { mapStrings } from '../../common/mapStrings.js';
import type { RedactHook } from '../../dispatch/Redaction.js';
import type { ModelAdapter, ModelPart, ModelRequest, ModelResponse } from '../../interface/ModelAdapter.js';
import type { Message } from '../../value/Message.js';
import { inParts } from './inParts.js';
import { ReplayDivergenceError } from './ReplayDivergenceError.js';

/** How a recorded run is compared. */
export interface ReplayOptions {
  /** The application's hook of this name, if it has one: what comes now is compared as it would be recorded. */
  readonly redact?: RedactHook | undefined;
}

/**
 * An adapter that plays a recorded transcript again. It answers as the model did then, as long as it is asked as it was
 * asked then; the first difference ends the run and is told. It is not a model, and costs nothing. Secret params stand in a
 * transcript as `[secret]`, and that is what their handlers get.
 *
 * @example
 * const adapter = new ReplayModel(readTranscript(readFileSync('run.jsonl', 'utf8')));
 * await app.evaluate(prompt, { adapter, session });
 * adapter.assertEnded();
 */
export class ReplayModel implements ModelAdapter {
  readonly name = 'replay (not a model)';
  /** Its conversation is compared as it is, whichever model answered then. */
  readonly takesOutputSchema = true;
  readonly transcript: readonly Message[];
  readonly #redact: RedactHook | undefined;
  #played = 0;

  constructor(transcript: readonly Message[], { redact }: ReplayOptions = {}) {
    this.transcript = transcript;
    this.#redact = redact;
  }

  /** @throws ReplayDivergenceError E707 where the conversation is not the recorded one */
  async complete({ messages }: ModelRequest): Promise<ModelResponse> {
    for (const [index, came] of messages.entries()) {
      const recorded = this.transcript[index];
      const now = this.#asRecorded(came);
      if (!isDeepStrictEqual(now, recorded && this.#asRecorded(recorded)))
        throw new ReplayDivergenceError({ index, recorded, came: now });
    }
    const index = messages.length;
    const answer = this.transcript[index];
    if (answer?.role !== 'assistant') throw new ReplayDivergenceError({ index, recorded: answer, came: 'request' });
    this.#played = Math.max(this.#played, index + 1);
    const { content: text, toolCalls = [], native } = answer;
    return { text, toolCalls, native, finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop' };
  }

  /** The same answer, word by word. */
  stream(request: ModelRequest): AsyncIterable<ModelPart> {
    return inParts(() => this.complete(request));
  }

  /**
   * For after the run: a run that ends early asks for nothing more, and so does not notice.
   *
   * @throws ReplayDivergenceError E707 when the record goes on behind the last answer that was played
   */
  assertEnded(): void {
    const index = this.#played;
    const recorded = this.transcript[index];
    if (recorded !== undefined) throw new ReplayDivergenceError({ index, recorded, came: 'end' });
  }

  /** As it is written: `undefined` and a missing key are the same. */
  #asRecorded(message: Message): Message {
    const plain = JSON.parse(JSON.stringify(message)) as Message;
    return this.#redact === undefined ? plain : mapStrings(plain, this.#redact);
  }
}
