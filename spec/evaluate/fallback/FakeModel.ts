import {
  type JsonValue,
  type ModelAdapter,
  type ModelRequest,
  type ModelResponse,
  PromptEvaluationError,
  ThrottleError,
  type ToolCall,
  type Usage,
} from 'toolwright';
import type { ModelPart, ProviderFailure, ThrottleKind } from 'toolwright/adapters';
import { toNeutralForm } from '../../../src/testing/ScriptedModel';

/** What a model does when it is asked: it answers, or throws. */
export type Step = ModelResponse | Error | ((request: ModelRequest) => ModelResponse | Promise<ModelResponse>);

export const said = (text: string, usage?: Usage): ModelResponse => ({
  text,
  toolCalls: [],
  finishReason: 'stop',
  ...(usage === undefined ? {} : { usage }),
});

export const calling = (name: string, given: ToolCall['arguments'] = {}, usage?: Usage): ModelResponse => ({
  text: null,
  toolCalls: [{ id: `id_${name}`, name, arguments: given }],
  finishReason: 'tool_calls',
  ...(usage === undefined ? {} : { usage }),
});

/** A failure after which no request is repeated. */
export const fails = (failure: ProviderFailure, problem: string = failure): Error =>
  new PromptEvaluationError(problem, { phase: 'request', failure });

export const throttled = (kind: ThrottleKind = 'rate_limit'): Error =>
  new ThrottleError(kind, { kind, retrySafe: true });

/** @param retryAfter in seconds */
export const busy = (retryAfter: number): Error => new ThrottleError('busy', { kind: 'rate_limit', retryAfter });

/** A model that does one step for each request, and the last one again and again. */
export class FakeModel implements ModelAdapter {
  readonly name: string;
  readonly requests: ModelRequest[] = [];
  readonly steps: Step[];
  takesOutputSchema = false;
  /** What `means` returns. */
  settings: JsonValue = null;

  constructor(name: string, ...steps: readonly Step[]) {
    this.name = name;
    this.steps = [...steps];
  }

  means(): JsonValue {
    return this.settings;
  }

  get count(): number {
    return this.requests.length;
  }

  async complete(request: ModelRequest): Promise<ModelResponse> {
    this.requests.push(request);
    request.onSent?.(toNeutralForm(request));
    const step = this.steps.length > 1 ? this.steps.shift() : this.steps[0];
    if (step === undefined) throw new RangeError(`${this.name} has no step.`);
    if (step instanceof Error) throw step;
    return typeof step === 'function' ? step(request) : step;
  }
}

/** A model that streams the words of its answer; an error comes after the words before it. */
export class StreamingModel extends FakeModel {
  readonly #words: readonly string[];

  /** @param words of the answer that breaks off */
  constructor(name: string, words: readonly string[], ...steps: readonly Step[]) {
    super(name, ...steps);
    this.#words = words;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    let response: ModelResponse | undefined;
    let thrown: unknown;
    try {
      response = await this.complete(request);
    } catch (error) {
      thrown = error;
    }
    for (const text of response?.text?.split(/(?<= )/) ?? this.#words) yield { kind: 'text', text };
    if (response === undefined) throw thrown;
    yield { kind: 'response', response };
  }
}
