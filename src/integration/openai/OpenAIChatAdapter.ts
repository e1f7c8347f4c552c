import type { OpenAI } from 'openai';
import type { ModelAdapter, ModelPart, ModelRequest, ModelResponse } from '../../interface/ModelAdapter.js';
import { ProviderLink } from '../../provider/ProviderLink.js';
import { withoutFields } from '../../provider/withoutFields.js';
import { chatMessages } from './chatMessages.js';
import { readCompletion } from './chatResponse.js';
import { chatTools } from './chatTools.js';
import { ChunkedCompletion } from './ChunkedCompletion.js';
import { responseFormat } from './responseFormat.js';

type ChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type StreamedChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/** Fields that the adapter writes itself, or whose answers it could not read. */
const OWN_FIELDS = [
  'model',
  'messages',
  'tools',
  'functions',
  'function_call',
  'n',
  'stream',
  'stream_options',
  'modalities',
  'audio',
] as const;

/**
 * Further fields of the request, such as `temperature` or `max_completion_tokens`, sent unchanged. `tool_choice` and
 * `parallel_tool_calls` are sent only together with tools, because the provider refuses them alone.
 */
export type ChatParameters = Partial<Omit<ChatRequest, (typeof OWN_FIELDS)[number]>>;

/**
 * The parts of the official client that are used: an `OpenAI`, an `AzureOpenAI`, or a wrapper around one. Structural, because
 * the package declares its classes twice, for `import` and for `require`, and the two are not compatible.
 */
export interface OpenAIChatClient {
  /** Read only to keep it out of errors. */
  readonly apiKey?: unknown;
  readonly chat: {
    readonly completions: {
      create(
        body: ChatRequest | StreamedChatRequest,
        options: { readonly signal: AbortSignal; readonly maxRetries: number },
      ): PromiseLike<unknown>;
    };
  };
}

/** Options of `OpenAIChatAdapter`. */
export interface OpenAIChatOptions {
  /** The official client; its key, base URL and timeout are not changed. */
  readonly client: OpenAIChatClient;
  /** The provider's name of the model, e.g. `gpt-5-mini`. */
  readonly model: string;
  /** Requests arguments that fit the schema exactly, for every schema that strict mode supports; true when left out. */
  readonly strict?: boolean | undefined;
  /**
   * Sends the schema of the answer as `response_format`; true when left out. False for a server without support for it: the
   * schema is then part of the system message.
   */
  readonly outputSchema?: boolean | undefined;
  /** Requests the usage of streamed answers; true when left out. False for a server without support for `stream_options`. */
  readonly streamUsage?: boolean | undefined;
  readonly parameters?: ChatParameters | undefined;
}

/**
 * Lets a model of OpenAI, or of a server with its Chat Completions API, answer a run (docs/contract.md, 16). Neither the adapter
 * nor the client retries: the loop does, since it has the deadline.
 *
 * @example
 * const adapter = new OpenAIChatAdapter({ client: new OpenAI(), model: 'gpt-5-mini' });
 * const response = await app.evaluate(app.prompt(SupportDesk), { adapter, session });
 */
export class OpenAIChatAdapter implements ModelAdapter {
  readonly name: string;
  readonly takesOutputSchema: boolean;
  readonly #client: OpenAIChatClient;
  readonly #link: ProviderLink;
  readonly #model: string;
  readonly #strict: boolean;
  readonly #streamUsage: boolean;
  readonly #parameters: ChatParameters;

  constructor(options: OpenAIChatOptions) {
    const { client, model, strict = true, outputSchema = true, streamUsage = true, parameters = {} } = options;
    this.name = `openai:${model}`;
    this.takesOutputSchema = outputSchema;
    this.#client = client;
    this.#link = new ProviderLink(this.name, client.apiKey);
    this.#model = model;
    this.#strict = strict;
    this.#streamUsage = streamUsage;
    this.#parameters = withoutFields(parameters, OWN_FIELDS);
  }

  /**
   * Sends one request to the model.
   *
   * @throws ThrottleError if the provider may answer later; PromptEvaluationError with phase `request` if the provider's limits
   * forbid the request, if it answers with an error status, or if it cannot be reached; with phase `response` (E702) if the
   * answer cannot be used; the reason of the request's signal once that is aborted
   */
  async complete(request: ModelRequest): Promise<ModelResponse> {
    return readCompletion(this.name, await this.#send(request));
  }

  /**
   * Sends one request to the model, and streams its answer. Leaving the loop over it closes the connection.
   *
   * @throws what `complete` throws; ThrottleError if the answer breaks off, since nothing of it has been used
   */
  async *stream(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    const { signal } = request;
    const usage = this.#streamUsage ? { stream_options: { include_usage: true } } : {};
    const sent = await this.#send(request, { stream: true, ...usage });
    const answer = new ChunkedCompletion();
    yield* this.#link.texts(signal, sent, (chunk) => answer.add(chunk));
    if (!answer.isWhole) throw this.#link.brokenOff();
    yield { kind: 'response', response: readCompletion(this.name, answer.completion) };
  }

  #send(request: ModelRequest, streaming?: Pick<StreamedChatRequest, 'stream' | 'stream_options'>): Promise<unknown> {
    const { signal } = request;
    return this.#link.send(signal, () =>
      this.#client.chat.completions.create({ ...this.#body(request), ...streaming }, { signal, maxRetries: 0 }),
    );
  }

  #body(request: ModelRequest): ChatRequest {
    const tools = chatTools(this.name, request.toolSchemas('openai', { strict: this.#strict }));
    const output = this.takesOutputSchema ? request.outputSchema?.('openai', { strict: this.#strict }) : undefined;
    const { tool_choice = 'auto', parallel_tool_calls, ...rest } = this.#parameters;
    return {
      ...rest,
      model: this.#model,
      messages: chatMessages(request.messages),
      ...(output === undefined ? {} : { response_format: responseFormat(output) }),
      ...(tools.length === 0
        ? {}
        : { tools, tool_choice, ...(parallel_tool_calls === undefined ? {} : { parallel_tool_calls }) }),
    };
  }
}
