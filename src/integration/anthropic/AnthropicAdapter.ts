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

/** How often a paused answer is asked to go on. */
const MOST_PIECES = 10;

/**
 * Further fields of the request, such as `thinking` or `stop_sequences`, sent as they are. `tool_choice` is sent only beside
 * tools, because the provider refuses it alone.
 */
export type MessageParameters = Partial<Omit<MessageRequest, (typeof OWN_FIELDS)[number]>>;

/**
 * What is used of the official client: an `Anthropic`, or what wraps one. Said by its shape, because the package declares its
 * classes twice, for `import` and for `require`, and neither fits the other.
 */
export interface AnthropicClient {
  /** Only to keep it out of errors. */
  readonly apiKey?: unknown;
  readonly messages: {
    create(
      body: MessageRequest | StreamedMessageRequest,
      options: { readonly signal: AbortSignal; readonly maxRetries: number },
    ): PromiseLike<unknown>;
  };
}

/** What an `AnthropicAdapter` is made of. */
export interface AnthropicOptions {
  /** The official client; its key, base URL and timeout stay as they were set up. */
  readonly client: AnthropicClient;
  /** The provider's name of the model, e.g. `claude-sonnet-5`. */
  readonly model: string;
  /** How many tokens one answer may have, thinking included; 8,192 when left out. Beyond that every answer is streamed. */
  readonly maxTokens?: number | undefined;
  /**
   * Ask for arguments that fit the schema exactly, wherever the schema can be said that way; false when left out, since the
   * provider refuses a whole request whose strict tools are too much to compile, and older models refuse the mode itself.
   */
  readonly strict?: boolean | undefined;
  /**
   * Send the form of the answer as `output_config.format`; true when left out. False for a model that does not know it: the
   * system message says the form then, as it does for a form that the provider cannot be told.
   */
  readonly outputSchema?: boolean | undefined;
  /**
   * Which tools the model finds by searching, with a tool of the provider, in place of reading them in every request; none when
   * left out. Worth it from some dozens of tools on.
   */
  readonly deferTools?: ((tool: ToolSchema) => boolean) | undefined;
  /**
   * Send the inputs of a tool's examples with the tool, beside those that the prompt shows in any case; false when left out. Worth
   * it for tools that are deferred, and for params that models get wrong.
   */
  readonly inputExamples?: boolean | undefined;
  /** Mark the prefix that further requests repeat for the provider's cache, and for how long; `5m` when left out. */
  readonly cache?: CacheLifetime | false | undefined;
  readonly parameters?: MessageParameters | undefined;
}

/**
 * Lets a model of Anthropic, or of a server that speaks its Messages API, answer a run (docs/contract.md, 16). Nothing is
 * repeated here, nor by the client: the loop asks again, since it knows the deadline.
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
   * Asks the model once.
   *
   * @throws ThrottleError when the provider may answer later; PromptEvaluationError with phase `request` when the provider's
   * limits forbid the request, when it answers with an error status, or when it cannot be reached; with phase `response` (E702)
   * when the answer cannot be used; the reason of the request's signal once that is aborted
   */
  async complete(request: ModelRequest): Promise<ModelResponse> {
    const parts = this.#answer(request, this.#maxTokens > LONGEST_IN_ONE_PIECE);
    for (;;) {
      const part = await parts.next();
      if (part.done === true) return part.value;
    }
  }

  /**
   * Asks the model once, and gives its answer as it comes. The connection is closed when its reader leaves.
   *
   * @throws what `complete` throws; ThrottleError when the answer breaks off, since nothing has been done with it
   */
  async *stream(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    const response = yield* this.#answer(request, true);
    yield { kind: 'response', response };
  }

  /** An answer that the provider pauses is one answer: it is asked to go on, with what it said so far. */
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

/** A piece of an answer as the provider wants it back. */
function asSaid(piece: unknown): Anthropic.Messages.MessageParam {
  const content = isFields(piece) ? piece['content'] : [];
  return { role: 'assistant', content: content as Anthropic.Messages.ContentBlockParam[] };
}
