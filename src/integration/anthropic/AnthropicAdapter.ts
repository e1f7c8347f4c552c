import type { Anthropic } from '@anthropic-ai/sdk';
import { describeOutput } from '../../evaluate/describeOutput.js';
import type { ModelAdapter, ModelPart, ModelRequest, ModelResponse, ToolSchema } from '../../interface/ModelAdapter.js';
import { isFields } from '../../provider/fields.js';
import { ProviderLink } from '../../provider/ProviderLink.js';
import { withoutFields } from '../../provider/withoutFields.js';
import { markCache, type CacheLifetime } from './markCache.js';
import { messageParams } from './messageParams.js';
import { messageTools, type ToolModes } from './messageTools.js';
import { isPaused, readMessage } from './readMessage.js';
import { StreamedMessage } from './StreamedMessage.js';

type MessageRequest = Anthropic.Messages.MessageCreateParamsNonStreaming;
type StreamedMessageRequest = Anthropic.Messages.MessageCreateParamsStreaming;

/** Fields that the adapter writes itself. */
const OWN_FIELDS = ['model', 'max_tokens', 'messages', 'system', 'tools', 'stream', 'cache_control'] as const;

/** The client asks for a stream beyond this, since an answer in one piece would take too long for its connection. */
const LONGEST_IN_ONE_PIECE = 8_192;

/** The most requests to continue a paused answer. */
const MOST_PIECES = 10;

/**
 * Further fields of the request, such as `thinking` or `stop_sequences`, sent unchanged. `tool_choice` is sent only together
 * with tools, because the provider refuses it alone.
 */
export type MessageParameters = Partial<Omit<MessageRequest, (typeof OWN_FIELDS)[number]>>;

/**
 * The parts of the official client that are used: an `Anthropic`, or a wrapper around one. Structural, because the package
 * declares its classes twice, for `import` and for `require`, and the two are not compatible.
 */
export interface AnthropicClient {
  /** Read only to keep it out of errors. */
  readonly apiKey?: unknown;
  readonly messages: {
    create(
      body: MessageRequest | StreamedMessageRequest,
      options: { readonly signal: AbortSignal; readonly maxRetries: number },
    ): PromiseLike<unknown>;
  };
}

/** Options of `AnthropicAdapter`. */
export interface AnthropicOptions {
  /** The official client; its key, base URL and timeout are not changed. */
  readonly client: AnthropicClient;
  /** The provider's name of the model, e.g. `claude-sonnet-5`. */
  readonly model: string;
  /** The most tokens of one answer, thinking included; 8,192 when left out. With more, every answer is streamed. */
  readonly maxTokens?: number | undefined;
  /**
   * Requests arguments that fit the schema exactly, for every schema that strict mode supports; false when left out, since the
   * provider refuses a whole request whose strict tools are too much to compile, and older models refuse the mode itself.
   */
  readonly strict?: boolean | undefined;
  /**
   * Sends the schema of the answer as `output_config.format`; true when left out. False for a model without support for it: the
   * schema is then part of the system message, as is one that the provider cannot express.
   */
  readonly outputSchema?: boolean | undefined;
  /**
   * Returns true for tools that the model finds by searching, with a tool of the provider, and that are not part of every
   * request; none when left out. Useful from some dozens of tools on.
   */
  readonly deferTools?: ((tool: ToolSchema) => boolean) | undefined;
  /**
   * Sends the inputs of a tool's examples with the tool, in addition to the prompt, which always shows them; false when left
   * out. Useful for tools that are deferred, and for params that models get wrong.
   */
  readonly inputExamples?: boolean | undefined;
  /** Marks the prefix that later requests repeat for the provider's cache, for this lifetime; `5m` when left out. */
  readonly cache?: CacheLifetime | false | undefined;
  readonly parameters?: MessageParameters | undefined;
}

/**
 * Lets a model of Anthropic, or of a server with its Messages API, answer a run (docs/contract.md, 16). Neither the adapter nor
 * the client retries: the loop does, since it has the deadline.
 *
 * @example
 * const adapter = new AnthropicAdapter({ client: new Anthropic(), model: 'claude-sonnet-5' });
 * const response = await app.evaluate(app.prompt(SupportDesk), { adapter, session });
 */
export class AnthropicAdapter implements ModelAdapter {
  readonly name: string;
  readonly takesOutputSchema: boolean;
  readonly #client: AnthropicClient;
  readonly #link: ProviderLink;
  readonly #model: string;
  readonly #maxTokens: number;
  readonly #toolModes: ToolModes;
  readonly #cache: CacheLifetime | false;
  readonly #parameters: MessageParameters;

  constructor(options: AnthropicOptions) {
    const { client, model, maxTokens = LONGEST_IN_ONE_PIECE, strict = false, outputSchema = true } = options;
    const { deferTools: isDeferred = () => false, inputExamples = false, cache = '5m', parameters = {} } = options;
    this.name = `anthropic:${model}`;
    this.takesOutputSchema = outputSchema;
    this.#client = client;
    this.#link = new ProviderLink(this.name, client.apiKey);
    this.#model = model;
    this.#maxTokens = maxTokens;
    this.#toolModes = { strict, isDeferred, inputExamples };
    this.#cache = cache;
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
    const parts = this.#answer(request, this.#maxTokens > LONGEST_IN_ONE_PIECE);
    for (;;) {
      const part = await parts.next();
      if (part.done === true) return part.value;
    }
  }

  /**
   * Sends one request to the model, and streams its answer. Leaving the loop over it closes the connection.
   *
   * @throws what `complete` throws; ThrottleError if the answer breaks off, since nothing of it has been used
   */
  async *stream(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    const response = yield* this.#answer(request, true);
    yield { kind: 'response', response };
  }

  /** Reads one answer, also if the provider pauses: the next request continues it, with the pieces so far. */
  async *#answer(request: ModelRequest, streams: boolean): AsyncGenerator<ModelPart, ModelResponse> {
    const { signal } = request;
    const body = this.#body(request);
    const pieces: unknown[] = [];
    for (;;) {
      const { messages } = body;
      const piece = yield* this.#piece({ ...body, messages: [...messages, ...pieces.map(asSaid)] }, signal, streams);
      pieces.push(piece);
      if (!isPaused(piece) || pieces.length === MOST_PIECES) return readMessage(this.name, pieces);
    }
  }

  async *#piece(body: MessageRequest, signal: AbortSignal, streams: boolean): AsyncGenerator<ModelPart, unknown> {
    const options = { signal, maxRetries: 0 };
    const asked = streams ? { ...body, stream: true as const } : body;
    const sent = await this.#link.send(signal, () => this.#client.messages.create(asked, options));
    if (!streams) return sent;
    const message = new StreamedMessage(this.name);
    yield* this.#link.texts(signal, sent, (event) => message.add(event));
    if (!message.isWhole) throw this.#link.brokenOff();
    return message.message;
  }

  #body(request: ModelRequest): MessageRequest {
    const tools = messageTools(this.name, request, this.#toolModes);
    const output = this.takesOutputSchema ? request.outputSchema?.('anthropic', { strict: true }) : undefined;
    const isTold = output?.strict === false;
    const conversation = messageParams(isTold ? describeOutput(request.messages, output.schema) : request.messages);
    if (this.#cache !== false) markCache(tools, conversation, this.#cache);
    const { tool_choice, output_config, ...rest } = this.#parameters;
    const format =
      output === undefined || isTold ? {} : { format: { type: 'json_schema' as const, schema: { ...output.schema } } };
    const outputConfig = { ...output_config, ...format };
    return {
      ...rest,
      model: this.#model,
      max_tokens: this.#maxTokens,
      ...(conversation.system.length === 0 ? {} : { system: conversation.system }),
      messages: conversation.messages,
      ...(Object.keys(outputConfig).length === 0 ? {} : { output_config: outputConfig }),
      ...(tools.length === 0 ? {} : { tools, ...(tool_choice === undefined ? {} : { tool_choice }) }),
    };
  }
}

/** Converts a piece of an answer to a message of the request that continues it. */
function asSaid(piece: unknown): Anthropic.Messages.MessageParam {
  const content = isFields(piece) ? piece['content'] : [];
  return { role: 'assistant', content: content as Anthropic.Messages.ContentBlockParam[] };
}
