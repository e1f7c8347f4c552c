import type { Anthropic } from '@anthropic-ai/sdk';
import type { JsonValue, Message, ModelAdapter, ModelRequest, ModelResponse } from 'toolwright';
import type { ModelPart, NativeContent, ToolSchema } from 'toolwright/adapters';
import {
  joinPieces,
  LeftOutParts,
  type OptionNames,
  ProviderLink,
  requireOptionNames,
  omitFields,
  WrittenMessages,
} from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';
import { PROVIDER, removeThinking } from './writeAssistantBlocks.js';
import { toRequestError, sendBody, type AnthropicClient, type SentBody } from './AnthropicClient.js';
import { writePartBlocks } from './writePartBlocks.js';
import type { Entry } from './ConversationWriter.js';
import type { CacheLifetime } from './markCache.js';
import { decideMeans, THINKING_BINDING, withBeta, type AnthropicMeans, type MeansOptions } from './decideMeans.js';
import { entriesOfPieces } from './pausedPieces.js';
import {
  writeBody,
  prepareRequest,
  toSentRequest,
  type PreparedRequest,
  type RequestOptions,
} from './prepareRequest.js';
import { isPaused, readMessage } from './readMessage.js';
import { StreamedMessage } from './StreamedMessage.js';
import { MAX_PIECES, MAX_UNSTREAMED_TOKENS } from './limits.js';

type BetaRequest = Anthropic.Beta.Messages.MessageCreateParamsNonStreaming;

/** Fields that the adapter writes itself. */
const OWN_FIELDS = ['model', 'max_tokens', 'messages', 'system', 'tools', 'stream', 'cache_control'] as const;

/**
 * Further fields of the request, such as `thinking` or `stop_sequences`, sent unchanged; with `betas`, by the client's
 * `beta.messages`. `tool_choice` is sent only together with tools, because the provider refuses it otherwise. With `diagnostics`,
 * each request names the answer before it, and `ModelResponse.cacheMiss` says why the provider could not use its cache.
 */
export type MessageParameters = Partial<Omit<BetaRequest, (typeof OWN_FIELDS)[number]>>;

/** Options of `AnthropicAdapter`. */
export interface AnthropicOptions {
  /** The official client; its key, base URL and timeout are not changed. */
  readonly client: AnthropicClient;
  /** The provider's name of the model, e.g. `claude-sonnet-5`. */
  readonly model: string;
  /** The most tokens of one answer, thinking included; 8,192 when left out. With more, every answer is streamed. */
  readonly maxTokens?: number | undefined;
  /**
   * Requests arguments that fit the schema exactly, for every schema that strict mode supports; false when left out: the provider
   * refuses the whole request if its strict tools are too much to compile, and older models refuse the mode itself.
   */
  readonly strict?: boolean | undefined;
  /**
   * Sends the schema of the answer as `output_config.format`; true when left out. False for a model without support for it: the
   * schema is then part of the system message, as is one that the provider cannot express.
   */
  readonly outputSchema?: boolean | undefined;
  /**
   * Returns true for tools that are not part of every request: the model finds them with a search tool of the provider. None when
   * left out. Useful from some dozens of tools on. Not called in a conversation in which messages offer the tools of closed
   * sections, since a search would find those as well.
   */
  readonly deferTools?: ((tool: ToolSchema) => boolean) | undefined;
  /**
   * Sends the inputs of a tool's examples with the tool, in addition to the prompt, which always shows them; false when left
   * out. Useful for tools that are deferred, and for params that models get wrong.
   */
  readonly inputExamples?: boolean | undefined;
  /** Marks the prefix that later requests repeat for the provider's cache, for this lifetime; `5m` when left out. */
  readonly cache?: CacheLifetime | false | undefined;
  /**
   * True if messages may offer and withdraw tools in the middle of a conversation; the name of the model decides when left out.
   * Requires a client with `beta.messages`. A conversation keeps the setting with which it began.
   */
  readonly toolChanges?: boolean | undefined;
  readonly parameters?: MessageParameters | undefined;
}

const optionNames: OptionNames<AnthropicOptions> = {
  client: 1,
  model: 1,
  maxTokens: 1,
  strict: 1,
  outputSchema: 1,
  deferTools: 1,
  inputExamples: 1,
  cache: 1,
  toolChanges: 1,
  parameters: 1,
};

/**
 * Lets a model of Anthropic, or of a server with its Messages API, answer a run (docs/contract.md, 16). Neither the adapter nor
 * the client retries: the loop does, since it has the deadline.
 *
 * @example
 * const adapter = new AnthropicAdapter({ client: new Anthropic(), model: 'claude-sonnet-5-5' });
 * const response = await app.evaluate(app.prompt(SupportDesk), { adapter, session });
 */
export class AnthropicAdapter implements ModelAdapter {
  readonly name: string;
  readonly takesOutputSchema: boolean;
  readonly #given: AnthropicOptions;
  readonly #client: AnthropicClient;
  readonly #link: ProviderLink;
  readonly #options: RequestOptions;
  readonly #means: MeansOptions;
  readonly #written = new WrittenMessages<Entry>();
  readonly #leftOut = new LeftOutParts();
  /** The provider's ids of answers, for its diagnosis of the cache. */
  readonly #ids = new WeakMap<NativeContent, string>();

  constructor(options: AnthropicOptions) {
    requireOptionNames('AnthropicAdapter', options, optionNames);
    const { client, model, maxTokens = MAX_UNSTREAMED_TOKENS, strict = false, outputSchema = true } = options;
    const { deferTools: isDeferred = () => false, inputExamples = false, cache = '5m', parameters = {} } = options;
    const { betas: given = [], ...fields } = omitFields(parameters, OWN_FIELDS);
    const binding = isRecord(fields.thinking) && isRecord(fields.thinking.block_binding) ? [THINKING_BINDING] : [];
    const betas = withBeta(given, ...binding);
    this.name = `anthropic:${model}`;
    this.takesOutputSchema = outputSchema;
    this.#given = options;
    this.#client = client;
    this.#link = new ProviderLink(this.name, client.apiKey);
    const toolModes = { strict, isDeferred, inputExamples };
    this.#means = { model, toolChanges: options.toolChanges, hasBeta: client.beta !== undefined, betas, toolModes };
    this.#options = {
      adapter: this.name,
      model,
      maxTokens,
      outputSchema,
      toolModes,
      cache,
      parameters: fields,
      betas,
    };
  }

  /** Returns the same adapter with further fields of the request, for one run; each replaces an earlier one of the same name. */
  with(parameters: MessageParameters): AnthropicAdapter {
    return new AnthropicAdapter({ ...this.#given, parameters: { ...this.#given.parameters, ...parameters } });
  }

  /** @throws PromptEvaluationError E724 for content of users that the provider does not take */
  checkContent(messages: readonly Message[]): void {
    messages.forEach((message, index) => {
      if (message.role === 'user') writePartBlocks(message.parts, { adapter: this.name, index, role: message.role });
    });
  }

  /** Returns true if the provider guarantees answers in this form, since strict mode can express it. */
  expressesOutput(schemaFor: NonNullable<ModelRequest['outputSchema']>): boolean {
    return schemaFor('anthropic', { strict: true }).strict;
  }

  /**
   * Removes the thinking of an answer, which newer models bind to everything before it. It stays with `thinking.type: 'enabled'`:
   * models that know that mode do not bind thinking, and refuse a turn of calls that does not begin with it.
   */
  unbind(native: NativeContent): NativeContent | undefined {
    const { thinking } = this.#options.parameters;
    const isManual = isRecord(thinking) && thinking.type === 'enabled';
    return isManual && native.provider === PROVIDER ? native : removeThinking(native);
  }

  /**
   * Decides for a conversation that begins now whether messages offer and withdraw tools, whether notes of the run are system
   * messages, and which betas all of its requests name.
   */
  means(begin: Pick<ModelRequest, 'offeredTools' | 'closedTools'>): JsonValue {
    const { betas, plan, tools, ...means }: AnthropicMeans = decideMeans(begin, this.#means);
    return {
      ...means,
      betas: [...betas],
      ...(plan === null ? {} : { plan }),
      ...(tools === undefined ? {} : { tools }),
    };
  }

  /**
   * Sends one request to the model.
   *
   * @throws ThrottleError if the provider may answer later; PromptEvaluationError with phase `request` if the provider's limits
   * forbid the request, if it answers with an error status, or if it cannot be reached; with phase `response` (E702) if the
   * answer cannot be used; the reason of the request's signal once that is aborted
   */
  async complete(request: ModelRequest): Promise<ModelResponse> {
    const parts = this.#answer(request, this.#options.maxTokens > MAX_UNSTREAMED_TOKENS);
    for (;;) {
      const part = await parts.next();
      if (part.done === true) return part.value;
    }
  }

  /**
   * Sends one request to the model, and streams its answer. Leaving the loop over it closes the connection.
   *
   * @throws the errors of `complete`; ThrottleError if the answer breaks off, since nothing of it has been used
   */
  async *stream(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    const response = yield* this.#answer(request, true);
    yield { kind: 'response', response };
  }

  /** Reads one answer. If the provider pauses, the next request continues the answer with the pieces so far. */
  async *#answer(request: ModelRequest, streams: boolean): AsyncGenerator<ModelPart, ModelResponse> {
    const prepared = this.#prepare(request);
    const pieces: unknown[] = [];
    for (;;) {
      const said = readPieces(pieces);
      request.onSent?.(toSentRequest(prepared, said));
      const piece = yield* this.#streamPiece(writeBody(prepared, said), request.signal, streams);
      pieces.push(piece);
      if (!isPaused(piece) || pieces.length === MAX_PIECES) return this.#read(prepared, pieces);
    }
  }

  #prepare(request: ModelRequest): PreparedRequest {
    const recorded = (): AnthropicMeans => decideMeans(request, this.#means);
    return prepareRequest(request, {
      ...this.#options,
      decide: recorded,
      written: this.#written,
      leftOut: this.#leftOut,
      idOf: (native) => this.#ids.get(native),
    });
  }

  #read({ plan }: PreparedRequest, pieces: readonly unknown[]): ModelResponse {
    const response = readMessage(this.name, pieces);
    const last = pieces.at(-1);
    const id = isRecord(last) ? last['id'] : undefined;
    if (response.native !== undefined && typeof id === 'string') this.#ids.set(response.native, id);
    return { ...response, toolCalls: response.toolCalls.map((call) => plan.received(call)) };
  }

  async *#streamPiece(body: SentBody, signal: AbortSignal, streams: boolean): AsyncGenerator<ModelPart, unknown> {
    const options = { signal, maxRetries: 0 };
    const asked: SentBody = streams ? { ...body, stream: true } : body;
    const sent = await this.#link
      .send(signal, () => sendBody(this.name, this.#client, asked, options))
      .catch((failure: unknown) => {
        throw toRequestError(this.name, failure, asked);
      });
    if (!streams) return sent;
    const message = new StreamedMessage(this.name);
    yield* this.#link.parts(signal, sent, (event) => message.add(event));
    if (!message.isWhole) throw this.#link.createBrokenOffError();
    return message.message;
  }
}

/** Returns the entries of an answer's pieces so far, for the request that continues it. */
function readPieces(pieces: readonly unknown[]): readonly Entry[] {
  const blocks = pieces.map((piece) => {
    const content = isRecord(piece) ? piece['content'] : undefined;
    return Array.isArray(content) ? content.filter(isRecord) : [];
  });
  const entryOf = (block: unknown): Entry => ({ role: 'assistant', content: [block as Entry['content'][0]] });
  return entriesOfPieces<unknown, Entry>(joinPieces(blocks), entryOf);
}
