import type { OpenAI } from 'openai';
import type { JsonValue, Message, ModelAdapter, ModelRequest, ModelResponse } from 'toolwright';
import type { ModelPart, ModelSettings } from 'toolwright/adapters';
import {
  LeftOutParts,
  type OptionNames,
  planTools,
  ProviderLink,
  requireOptionNames,
  type ToolPlan,
  omitFields,
  WrittenMessages,
} from 'toolwright/internal';
import { createContentErrors } from './createContentErrors.js';
import { CHAT, writeChatMessages, type ChatMessage } from './writeChatMessages.js';
import { writeChatContent } from './writeChatContent.js';
import { decideChatMeans, chooseNoteRole, readChatMeans, type ChatMeans } from './decideChatMeans.js';
import { readCompletion } from './readCompletion.js';
import { writeChatTools } from './writeTools.js';
import { ChunkedCompletion } from './ChunkedCompletion.js';
import { findChatProblem } from './mediaParts.js';
import { readStops, readToolChoice, writeResponseFormat } from './requestSettings.js';
import { toSentChat } from './toSentRequests.js';
import { streamAnswer } from './streamAnswer.js';

type ChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type StreamedChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/** Fields that the adapter writes itself, and fields that lead to answers that it cannot read. */
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
 * `parallel_tool_calls` are sent only together with tools, because the provider refuses them otherwise.
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
  /**
   * The role of Toolwright's own notes, e.g. that a tool can no longer be called. When left out, `developer` for OpenAI's models,
   * and `user` for others, since many templates accept a system message only at the beginning.
   */
  readonly notes?: 'developer' | 'system' | 'user' | undefined;
  /**
   * Sends the reasoning of earlier answers back in the field in which it came (`reasoning_content`, `reasoning`,
   * `reasoning_details`). Some servers require it, others refuse it; false when left out.
   */
  readonly reasoning?: boolean | undefined;
  readonly parameters?: ChatParameters | undefined;
}

const optionNames: OptionNames<OpenAIChatOptions> = {
  client: 1,
  model: 1,
  strict: 1,
  outputSchema: 1,
  streamUsage: 1,
  notes: 1,
  reasoning: 1,
  parameters: 1,
};

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
  readonly #options: OpenAIChatOptions;
  readonly #link: ProviderLink;
  readonly #strict: boolean;
  readonly #streamUsage: boolean;
  readonly #means: ChatMeans;
  readonly #parameters: ChatParameters;
  readonly #written = new WrittenMessages<ChatMessage>();
  readonly #leftOut = new LeftOutParts();

  /** @throws PromptError E413 for an unknown option */
  constructor(options: OpenAIChatOptions) {
    requireOptionNames('OpenAIChatAdapter', options, optionNames);
    const { client, model, strict = true, outputSchema = true, streamUsage = true, parameters = {} } = options;
    const { notes = chooseNoteRole(model), reasoning = false } = options;
    // Differs from the name for the Responses API: a record continues with the means that an adapter of this name chose.
    this.name = `${CHAT}:${model}`;
    this.takesOutputSchema = outputSchema;
    this.#options = options;
    this.#link = new ProviderLink(this.name, client.apiKey);
    this.#strict = strict;
    this.#streamUsage = streamUsage;
    this.#means = { notes, reasoning };
    this.#parameters = omitFields(parameters, OWN_FIELDS);
  }

  /**
   * Returns the same adapter with further parameters, e.g. for one run; each replaces an earlier one of the same name.
   *
   * @example
   * await app.evaluate(prompt, { adapter: adapter.with({ reasoning_effort: 'high' }), messages });
   */
  with(parameters: ChatParameters): OpenAIChatAdapter {
    return new OpenAIChatAdapter({ ...this.#options, parameters: { ...this.#options.parameters, ...parameters } });
  }

  /** @throws PromptEvaluationError E724 for content of users that the API does not take */
  checkContent(messages: readonly Message[]): void {
    messages.forEach((message, index) => {
      if (message.role === 'user')
        writeChatContent(message.content, message.parts, createContentErrors(this.name, message, index));
    });
  }

  /** Returns how the tools of closed sections are reached in a conversation that begins now. */
  means(begin: Pick<ModelRequest, 'offeredTools' | 'closedTools'>): JsonValue {
    return decideChatMeans(begin, this.#strict, this.#means);
  }

  /**
   * Sends one request to the model.
   *
   * @throws ThrottleError if the provider may answer later; PromptEvaluationError with phase `request` if the provider's limits
   * forbid the request, if it answers with an error status, or if it cannot be reached; with phase `response` (E702) if the
   * answer cannot be used; the reason of the request's signal once that is aborted
   */
  async complete(request: ModelRequest): Promise<ModelResponse> {
    const plan = planTools(request, 'openai', { strict: this.#strict });
    const completion = await this.#send(request, plan, (asked) => asked);
    return readCompletion(this.name, completion, plan.received);
  }

  /**
   * Sends one request to the model, and streams its answer. Leaving the loop over it closes the connection. Inputs of calls that
   * reach a closed tool through another one are shown as inputs of the tool that the model named.
   *
   * @throws the errors of `complete`; ThrottleError if the answer breaks off, since nothing of it has been used
   */
  async *stream(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    const { signal } = request;
    const plan = planTools(request, 'openai', { strict: this.#strict });
    const usage = this.#streamUsage ? { stream_options: { include_usage: true } } : {};
    const { sent, isStream } = await this.#send(request, plan, streamAnswer, { stream: true, ...usage });
    const answer = new ChunkedCompletion();
    yield* this.#link.parts(signal, sent, (chunk) => answer.add(chunk));
    if (!answer.isWhole || (isStream && answer.completion === undefined)) throw this.#link.createBrokenOffError();
    yield { kind: 'response', response: readCompletion(this.name, answer.completion, plan.received) };
  }

  #send<T>(
    request: ModelRequest,
    plan: ToolPlan,
    read: (asked: PromiseLike<unknown>) => PromiseLike<T>,
    streaming?: Pick<StreamedChatRequest, 'stream' | 'stream_options'>,
  ): Promise<T> {
    const { signal, onSent } = request;
    return this.#link.send(signal, () => {
      const body = { ...this.#writeBody(request, plan), ...streaming };
      onSent?.(toSentChat(body));
      return read(this.#options.client.chat.completions.create(body, { signal, maxRetries: 0 }));
    });
  }

  #writeBody(request: ModelRequest, plan: ToolPlan): ChatRequest {
    const output = this.takesOutputSchema ? request.outputSchema?.('openai', { strict: this.#strict }) : undefined;
    const { tool_choice: _choice, parallel_tool_calls: _parallel, ...rest } = this.#parameters;
    const { settings = {} } = request;
    const { temperature } = settings;
    const stop = readStops(this.name, settings);
    const messages = this.#leftOut.ofRequest(request, (part, role) => findChatProblem(part, role) === undefined);
    return {
      ...rest,
      ...(temperature === undefined ? {} : { temperature }),
      ...(stop === undefined ? {} : { stop }),
      model: this.#options.model,
      messages: writeChatMessages(messages, {
        adapter: this.name,
        plan,
        ...readChatMeans(request, this.#means),
        written: this.#written,
      }),
      ...(output === undefined ? {} : { response_format: writeResponseFormat(output) }),
      ...this.#writeTools(settings, plan),
    };
  }

  #writeTools(
    settings: ModelSettings,
    plan: ToolPlan,
  ): Pick<ChatRequest, 'tools' | 'tool_choice' | 'parallel_tool_calls'> {
    const tools = writeChatTools(this.name, plan.tools);
    const chosen = readToolChoice(this.name, settings, plan);
    if (tools.length === 0) return {};
    const { tool_choice = 'auto', parallel_tool_calls } = this.#parameters;
    const parallel = settings.parallelToolCalls ?? parallel_tool_calls;
    const choice = typeof chosen === 'object' ? ({ type: 'function', function: chosen } as const) : chosen;
    return {
      tools,
      tool_choice: choice ?? tool_choice,
      ...(parallel === undefined ? {} : { parallel_tool_calls: parallel }),
    };
  }
}
