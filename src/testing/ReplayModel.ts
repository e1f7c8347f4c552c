import { copyOwnOptions } from '../common/objects.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { isDeepStrictEqual } from 'node:util';
import { mapStrings } from '../common/mapStrings.js';
import { requireTranscript } from '../evaluate/transcript.js';
import type { RedactHook } from '../dispatch/redact/SecretRedaction.js';
import type { ModelAdapter, ModelPart, ModelRequest, ModelResponse } from '../interface/ModelAdapter.js';
import { removeBytes } from '../value/describePart.js';
import type { Message } from '../value/Message.js';
import { splitIntoParts } from './ScriptedModel.js';
import { ReplayDivergenceError } from './ReplayDivergenceError.js';

/** Options of `ReplayModel`. */
export interface ReplayOptions {
  /** The application's `redact` hook, if it has one: messages are compared as they would be recorded. */
  readonly redact?: RedactHook | undefined;
}

const optionNames: OptionNames<ReplayOptions> = { redact: 1 };

/**
 * An adapter that replays a recorded transcript. It returns the recorded answers, as long as the requests are the recorded ones;
 * the first difference ends the run with an error that shows it. It is not a model, and costs nothing. Secret params are
 * `[secret]` in a transcript, and that is what their handlers get.
 *
 * @example
 * const adapter = new ReplayModel(readTranscript(readFileSync('run.jsonl', 'utf8')));
 * await app.evaluate(prompt, { adapter, session });
 * adapter.assertEnded();
 */
export class ReplayModel implements ModelAdapter {
  readonly name = 'replay (not a model)';
  /** Keeps the schema of the answer out of the messages, which are compared unchanged, whichever model was recorded. */
  readonly takesOutputSchema = true;
  readonly transcript: readonly Message[];
  readonly #redact: RedactHook | undefined;
  /** Messages that fitted their place: a run sends the same ones again with each request. */
  readonly #fitted = new WeakMap<Message, number>();
  #played = 0;

  /** @throws PromptError E413 for an unknown option, ToolwrightError E710 for a value that is not a transcript */
  constructor(transcript: readonly Message[], options: ReplayOptions = {}) {
    requireOptionNames('ReplayModel', options, optionNames);
    const { redact } = copyOwnOptions(options);
    requireTranscript(transcript);
    this.transcript = transcript;
    this.#redact = redact;
  }

  /** @throws ReplayDivergenceError E707 if the conversation is not the recorded one */
  async complete({ messages }: ModelRequest): Promise<ModelResponse> {
    for (const [index, came] of messages.entries()) {
      if (this.#fitted.get(came) === index) continue;
      const recorded = this.transcript[index];
      const now = this.#asRecorded(came);
      if (!isDeepStrictEqual(now, recorded && this.#asRecorded(recorded)))
        throw new ReplayDivergenceError({ index, recorded, came: now });
      // Another message could have other content by the next request.
      if (Object.isFrozen(came)) this.#fitted.set(came, index);
    }
    const index = messages.length;
    const answer = this.transcript[index];
    if (answer?.role !== 'assistant') throw new ReplayDivergenceError({ index, recorded: answer, came: 'request' });
    this.#played = Math.max(this.#played, index + 1);
    const { content: text, toolCalls = [], native } = answer;
    return { text, toolCalls, native, finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop' };
  }

  /** Streams the same answer, word by word. */
  stream(request: ModelRequest): AsyncIterable<ModelPart> {
    return splitIntoParts(() => this.complete(request));
  }

  /**
   * Asserts, after the run, that the whole record was replayed: a run that ends too early sends no request that could fail.
   *
   * @throws ReplayDivergenceError E707 if the record continues after the last answer that was replayed
   */
  assertEnded(): void {
    const index = this.#played;
    const recorded = this.transcript[index];
    if (recorded !== undefined) throw new ReplayDivergenceError({ index, recorded, came: 'end' });
  }

  /** Returns a message as it is written: `undefined` and a missing key are the same. */
  #asRecorded(message: Message): Message {
    const plain = JSON.parse(JSON.stringify(toRecordable(message))) as Message;
    return this.#redact === undefined ? plain : mapStrings(plain, this.#redact);
  }
}

/** A transcript holds no bytes of parts; what Toolwright alone writes is no part of what is replayed. */
function toRecordable(message: Message): Message {
  const {
    note: _note,
    tools: _tools,
    ...said
  } = message as Message & { readonly note?: unknown; readonly tools?: unknown };
  return 'parts' in said && said.parts !== undefined ? { ...said, parts: removeBytes(said.parts) } : said;
}
