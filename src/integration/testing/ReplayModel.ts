import { isDeepStrictEqual } from 'node:util';
import { ToolwrightError } from '../../error/ToolwrightError.js';
import type { ModelAdapter, ModelRequest, ModelResponse } from '../../interface/ModelAdapter.js';
import type { Message } from '../../value/Message.js';

/**
 * An adapter that plays a recorded transcript again. It answers as the model did then, as long as it is asked as it was
 * asked then; the first difference ends the run and is told. It is not a model.
 *
 * @example
 * const adapter = new ReplayModel(readTranscript(readFileSync('run.jsonl', 'utf8')));
 * await app.evaluate(prompt, { adapter, session });
 */
export class ReplayModel implements ModelAdapter {
  readonly name = 'replay (not a model)';
  /** Its conversation is compared as it is, whichever model answered then. */
  readonly takesOutputSchema = true;
  readonly transcript: readonly Message[];

  constructor(transcript: readonly Message[]) {
    this.transcript = transcript;
  }

  /** @throws ToolwrightError E707 where the conversation is not the recorded one */
  async complete({ messages }: ModelRequest): Promise<ModelResponse> {
    for (const [index, message] of messages.entries()) {
      const recorded = this.transcript[index];
      if (!isDeepStrictEqual(plain(message), plain(recorded))) throw divergence(index, recorded, message);
    }
    const answer = this.transcript[messages.length];
    if (answer?.role !== 'assistant') throw divergence(messages.length, answer, { role: 'assistant', content: null });
    const { content: text, toolCalls = [] } = answer;
    return { text, toolCalls, finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop' };
  }
}

/** As it is written: `undefined` and a missing key are the same. */
function plain(message: Message | undefined): unknown {
  return message === undefined ? undefined : (JSON.parse(JSON.stringify(message)) as unknown);
}

function divergence(index: number, recorded: Message | undefined, came: Message): ToolwrightError {
  const was = recorded === undefined ? 'nothing more' : shown(recorded);
  return new ToolwrightError(
    `The run differs from its record at message ${String(index + 1)}: recorded was ${was}, now came ${shown(came)}.`,
    { code: 'E707' },
  );
}

function shown(message: Message): string {
  const text = JSON.stringify(message);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
