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
  /** The `redact` hook of the application, if it has one: messages are compared in their recorded form. */
  readonly redact?: RedactHook | undefined;
}

const optionNames: OptionNames<ReplayOptions> = { redact: 1 };

/**
 * An adapter that replays a recorded transcript. It returns the recorded answers as long as the requests equal the
 * recorded ones; the first difference ends the run with an error that shows it. It is not a model, and costs nothing.
 * Secret params are `[secret]` in a transcript, so their handlers get that text.
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
  /** Messages that matched their position: a run sends the same ones again with each request. */
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

  /**
   * Returns the next recorded answer.
   *
   * @throws ReplayDivergenceError E707 if the conversation differs from the recorded one
   */
  async complete({ messages }: ModelRequest): Promise<ModelResponse> {
    for (const [index, came] of messages.entries()) {
      if (this.#fitted.get(came) === index) continue;
      const recorded = this.transcript[index];
      const now = this.#writeAsRecorded(came);
      if (!isDeepStrictEqual(now, recorded && this.#writeAsRecorded(recorded)))
        throw new ReplayDivergenceError({ index, recorded, came: now });
      // A message that is not frozen could change before the next request.
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
   * Asserts after the run that the whole record was replayed. A run that ends too early sends no request that could
   * fail.
   *
   * @throws ReplayDivergenceError E707 if the record continues after the last replayed answer
   */
  assertEnded(): void {
    const index = this.#played;
    const recorded = this.transcript[index];
    if (recorded !== undefined) throw new ReplayDivergenceError({ index, recorded, came: 'end' });
  }

  /** Returns a message in its written form, in which `undefined` and a missing key are the same. */
  #writeAsRecorded(message: Message): Message {
    const plain = JSON.parse(JSON.stringify(toRecordable(message))) as Message;
    return this.#redact === undefined ? plain : mapStrings(plain, this.#redact);
  }
}

/**
 * Converts a message to its form in a transcript: without bytes of parts, and without the fields that only Toolwright
 * writes.
 */
function toRecordable(message: Message & Partial<Record<'note' | 'tools', unknown>>): Message {
  const { note: _note, tools: _tools, ...said } = message;
  return 'parts' in said && said.parts !== undefined ? { ...said, parts: removeBytes(said.parts) } : said;
}
