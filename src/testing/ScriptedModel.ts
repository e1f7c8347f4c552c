import { formOf, oneOf } from '../common/dataForm.js';
import { requireOptions, type OptionForms } from '../error/optionNames.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type {
  FinishReason,
  ModelAdapter,
  ModelPart,
  ModelRequest,
  ModelResponse,
  SentRequest,
} from '../interface/ModelAdapter.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { Usage } from '../value/Usage.js';

/** One scripted answer: text, tool calls, or both. */
export interface ScriptedTurn {
  readonly text?: string | undefined;
  readonly toolCalls?: readonly ScriptedCall[] | undefined;
  readonly finishReason?: FinishReason | undefined;
  readonly usage?: Usage | undefined;
}

/** A scripted tool call. By default, it gets a new id. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments: ToolCall['arguments'];
  readonly id?: string | undefined;
}

/** An answer, or a function of the request, so that a script can use the results of tools. */
export type ScriptStep = ScriptedTurn | ((request: ModelRequest) => ScriptedTurn);

/** Options of `ScriptedModel`. */
export interface ScriptedModelOptions {
  /**
   * Chooses the turn that answers a request. `order`, the default, takes the next one. `position` counts the answers of
   * the model in the conversation, so that a script continues in another process, after a fork, and for several
   * conversations with one adapter.
   */
  readonly by?: 'order' | 'position' | undefined;
  /** Shown in errors and events; `scripted (not a model)` by default. The adapters of `fallback` need different names. */
  readonly name?: string | undefined;
}

const optionForms: OptionForms<ScriptedModelOptions> = {
  by: oneOf('order', 'position'),
  name: formOf('a text that is not blank', (value) => typeof value === 'string' && value.trim() !== ''),
};

/**
 * An adapter that answers from a script, one turn after the other. It is not a model: it ignores the request. For tests
 * and samples that must run the same each time, without a network or a key.
 *
 * @example
 * const adapter = new ScriptedModel([{ toolCalls: [{ name: 'get_order', arguments: { orderId: '#W1' } }] }, { text: 'Found it.' }]);
 */
export class ScriptedModel implements ModelAdapter {
  readonly name: string;
  readonly takesOutputSchema = true;
  /** Every request so far. */
  readonly requests: ModelRequest[] = [];
  readonly script: readonly ScriptStep[];
  readonly #by: 'order' | 'position';

  /** @throws PromptError E413 for an unknown option or value */
  constructor(script: readonly ScriptStep[], options: ScriptedModelOptions = {}) {
    requireOptions('ScriptedModel', options, optionForms);
    this.name = options.name ?? 'scripted (not a model)';
    this.script = script;
    this.#by = options.by ?? 'order';
  }

  /**
   * Returns the next scripted answer.
   *
   * @throws ToolwrightError E703 if the script has no further turn
   */
  async complete(request: ModelRequest): Promise<ModelResponse> {
    const answers = request.messages.filter(({ role }) => role === 'assistant').length;
    const turn = this.#by === 'position' ? answers : this.requests.length;
    const step = this.script[turn];
    this.requests.push(request);
    request.onSent?.(toNeutralForm(request));
    if (step === undefined) {
      throw new ToolwrightError(
        `The script has ${String(this.script.length)} turns, but turn ${String(turn + 1)} was requested.`,
        { code: 'E703' },
      );
    }
    const { text, toolCalls = [], finishReason, usage } = typeof step === 'function' ? step(request) : step;
    return {
      text: text ?? null,
      toolCalls: toolCalls.map(
        (call, index) => ({ id: `call_${String(turn + 1)}_${String(index + 1)}`, ...call }) as ToolCall,
      ),
      finishReason: finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
      usage,
    };
  }

  /** Streams the same answer, word by word. */
  stream(request: ModelRequest): AsyncIterable<ModelPart> {
    return splitIntoParts(() => this.complete(request));
  }
}

/** Returns the request in Toolwright's own form, because there is no provider. */
export function toNeutralForm(request: ModelRequest): SentRequest {
  const { messages, settings } = request;
  const [system, ...rest] = messages[0]?.role === 'system' ? messages : [undefined, ...messages];
  const offered = request.offeredTools?.('json-schema') ?? request.toolSchemas('json-schema');
  return {
    tools: [...offered, ...(request.closedTools?.('json-schema') ?? [])],
    system: system === undefined ? [] : [system],
    messages: rest,
    parameters: { ...settings },
  };
}

/** Streams an answer as a model would: its text word by word, then the whole response. */
export async function* splitIntoParts(answer: () => Promise<ModelResponse>): AsyncGenerator<ModelPart, void> {
  const response = await answer();
  for (const text of response.text?.match(/\s*\S+|\s+/g) ?? []) yield { kind: 'text', text };
  yield { kind: 'response', response };
}
