import type { OpenAI } from 'openai';
import type { JsonValue, Message, ModelAdapter, ModelRequest, ModelResponse } from 'toolwright';
import type { ModelPart, ModelSettings, NativeContent, OutputSchema, ToolSchema } from 'toolwright/adapters';
import { LeftOutParts, type OptionNames, ProviderLink, requireOptionNames, omitFields } from 'toolwright/internal';
import { createContentErrors } from './createContentErrors.js';
import { isRecord } from 'toolwright/internal/light';
import { toRequestError } from './toRequestError.js';
import { findResponseProblem } from './mediaParts.js';
import { removeReasoning } from './writeNativeItems.js';
import { readResponse } from './readResponse.js';
import { refuseSearchChoice, refuseStops, readToolChoice, writeResponseFormat } from './requestSettings.js';
import { writeResponseContent } from './writeResponseContent.js';
import { PROVIDER, writeResponseItems, WrittenItems } from './writeResponseItems.js';
import {
  canAddTools,
  canSearchTools,
  decideResponseMeans,
  planResponse,
  type PlanSettings,
  type ResponsePlan,
} from './planResponse.js';
import { writeResponseTools } from './writeTools.js';
import { toSentResponse } from './toSentRequests.js';
import { StreamedResponse } from './StreamedResponse.js';

type ResponseRequest = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type StreamedResponseRequest = OpenAI.Responses.ResponseCreateParamsStreaming;

/** Fields that the adapter writes itself, that would repeat the conversation, or that lead to answers it cannot read. */
const OWN_FIELDS = [
  'model',
  'input',
  'instructions',
  'tools',
  'stream',
  'stream_options',
  'background',
  'conversation',
  'previous_response_id',
] as const;

/** Requests reasoning in a form that can be sent back. */
const REASONING = 'reasoning.encrypted_content';

/**
 * Further fields of the request, such as `reasoning`, `max_output_tokens` or `prompt_cache_key`, sent unchanged. `tool_choice`
 * and `parallel_tool_calls` are sent only together with tools, because the provider refuses them otherwise.
 */
export type ResponseParameters = Partial<Omit<ResponseRequest, (typeof OWN_FIELDS)[number]>>;

/**
 * The parts of the official client that are used: an `OpenAI`, an `AzureOpenAI`, or a wrapper around one. Structural, because
 * the package declares its classes twice, for `import` and for `require`, and the two are not compatible.
 */
export interface OpenAIResponsesClient {
  /** Read only to keep it out of errors. */
  readonly apiKey?: unknown;
  readonly responses: {
    create(
      body: ResponseRequest | StreamedResponseRequest,
      options: { readonly signal: AbortSignal; readonly maxRetries: number },
    ): PromiseLike<unknown>;
  };
}

/** Options of `OpenAIResponsesAdapter`. */
export interface OpenAIResponsesOptions {
  /** The official client; its key, base URL and timeout are not changed. */
  readonly client: OpenAIResponsesClient;
  /** The provider's name of the model, e.g. `gpt-5-mini`. */
  readonly model: string;
  /** Requests arguments that fit the schema exactly, for every schema that strict mode supports; true when left out. */
  readonly strict?: boolean | undefined;
  /**
   * Sends the schema of the answer as `text.format`; true when left out. False for a server without support for it: the schema
   * is then part of the system message.
   */
  readonly outputSchema?: boolean | undefined;
  /**
   * Requests the reasoning in encrypted form, and sends it back with the next request; true when left out. False for a model
   * that does not reason, or a server without support for it.
   */
  readonly reasoning?: boolean | undefined;
  /**
   * Returns true for tools that are not part of every request: the model finds them with a search tool of the provider. None when
   * left out. Useful from some dozens of tools on; older models refuse it. No tool is deferred while tools of closed sections are
   * listed, since the search would find those.
   */
  readonly deferTools?: ((tool: ToolSchema) => boolean) | undefined;
  /**
   * Adds the tools of an opened section through an item of the conversation (`additional_tools`); true for GPT-5.6 and newer
   * models when left out. False for a server that refuses the item: the tools are then listed from the start, or reached through
   * one that never changes.
   */
  readonly additionalTools?: boolean | undefined;
  /**
   * Declares the search of a prompt as the provider's own (`tool_search` with `execution: 'client'`), which Toolwright answers; true
   * for GPT-5.4 and newer models when left out. False for a server that refuses it: the search is then a function. It is one as well
   * while closed tools are listed, and beside deferred tools.
   */
  readonly toolSearch?: boolean | undefined;
  readonly parameters?: ResponseParameters | undefined;
}

const optionNames: OptionNames<OpenAIResponsesOptions> = {
  client: 1,
  model: 1,
  strict: 1,
  outputSchema: 1,
  reasoning: 1,
  deferTools: 1,
  additionalTools: 1,
  toolSearch: 1,
  parameters: 1,
};

/**
 * Lets a model of OpenAI, or of a server with its Responses API, answer a run (docs/contract.md, 16). The provider stores
 * nothing unless `parameters.store` is set: every request holds the whole conversation, reasoning included. Neither the adapter
 * nor the client retries: the loop does, since it has the deadline.
 *
 * @example
 * const adapter = new OpenAIResponsesAdapter({ client: new OpenAI(), model: 'gpt-5-mini' });
 * const response = await app.evaluate(app.prompt(SupportDesk), { adapter, session });
 */
export class OpenAIResponsesAdapter implements ModelAdapter {
  readonly name: string;
  readonly takesOutputSchema: boolean;
  /** Reasoning is bound to `text.format`. */
  readonly bindsOutputSchema = true;
  readonly #options: OpenAIResponsesOptions;
  readonly #link: ProviderLink;
  readonly #plan: PlanSettings;
  readonly #parameters: ResponseParameters;
  readonly #written = new WrittenItems();
  readonly #leftOut = new LeftOutParts();

  /** @throws PromptError E413 for an unknown option */
  constructor(options: OpenAIResponsesOptions) {
    requireOptionNames('OpenAIResponsesAdapter', options, optionNames);
    const { client, model, strict = true, outputSchema = true, parameters = {} } = options;
    const { deferTools: isDeferred = () => false, additionalTools = canAddTools(model) } = options;
    const { toolSearch = canSearchTools(model) } = options;
    this.name = `openai:${model}`;
    this.takesOutputSchema = outputSchema;
    this.#options = options;
    this.#link = new ProviderLink(this.name, client.apiKey);
    this.#plan = { strict, additionalTools, toolSearch, isDeferred };
    this.#parameters = omitFields(parameters, OWN_FIELDS);
  }

  /**
   * Returns the same adapter with further parameters, e.g. for one run; each replaces an earlier one of the same name.
   *
   * @example
   * await app.evaluate(prompt, { adapter: adapter.with({ reasoning: { effort: 'high' } }), messages });
   */
  with(parameters: ResponseParameters): OpenAIResponsesAdapter {
    return new OpenAIResponsesAdapter({
      ...this.#options,
      parameters: { ...this.#options.parameters, ...parameters },
    });
  }

  /** @throws PromptEvaluationError E724 for content of users that the API does not take */
  checkContent(messages: readonly Message[]): void {
    messages.forEach((message, index) => {
      if (message.role === 'user')
        writeResponseContent(message.content, message.parts, createContentErrors(this.name, message, index));
    });
  }

  /** Removes the reasoning of an answer, which is bound to everything before it, and the ids that refer to it. */
  unbind(native: NativeContent): NativeContent | undefined {
    return native.provider === PROVIDER ? removeReasoning(native) : undefined;
  }

  /** Returns how the tools of closed sections are reached in a conversation that begins now. */
  means(begin: Pick<ModelRequest, 'offeredTools' | 'closedTools' | 'searchTool'>): JsonValue {
    return decideResponseMeans(begin, this.#plan);
  }

  /**
   * Sends one request to the model.
   *
   * @throws ThrottleError if the provider may answer later; PromptEvaluationError with phase `request` if the provider's limits
   * forbid the request, if it answers with an error, or if it cannot be reached; with phase `response` (E702) if the answer
   * cannot be used; the reason of the request's signal once that is aborted
   */
  async complete(request: ModelRequest): Promise<ModelResponse> {
    const plan = planResponse(request, this.#plan);
    return this.#read(await this.#send(request, plan), plan);
  }

  /**
   * Sends one request to the model, and streams its answer. Leaving the loop over it closes the connection. Inputs of calls that
   * reach a closed tool through another one are shown as inputs of the tool that the model named.
   *
   * @throws the errors of `complete`; ThrottleError if the answer breaks off, since nothing of it has been used
   */
  async *stream(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    const plan = planResponse(request, this.#plan);
    const sent = await this.#send(request, plan, { stream: true });
    const answer = new StreamedResponse(this.name);
    yield* this.#link.parts(request.signal, sent, (event) => answer.add(event));
    if (!answer.isWhole) throw this.#link.createBrokenOffError();
    yield { kind: 'response', response: this.#read(answer.response, plan) };
  }

  async #send(request: ModelRequest, plan: ResponsePlan, streaming?: { readonly stream: true }): Promise<unknown> {
    const { signal, onSent } = request;
    let written: Pick<ResponseRequest, 'tools' | 'input'> = {};
    try {
      return await this.#link.send(signal, () => {
        const body: ResponseRequest | StreamedResponseRequest = { ...this.#writeBody(request, plan), ...streaming };
        written = body;
        onSent?.(toSentResponse(body));
        return this.#options.client.responses.create(body, { signal, maxRetries: 0 });
      });
    } catch (error) {
      throw toRequestError(this.name, written, error);
    }
  }

  /** Reads a response. Failed responses also have status 200. */
  #read(response: unknown, plan: ResponsePlan): ModelResponse {
    const error = isRecord(response) ? response['error'] : undefined;
    if (isRecord(error)) throw this.#link.createFailure(error);
    return readResponse(this.name, response, plan.received);
  }

  #writeBody(request: ModelRequest, plan: ResponsePlan): ResponseRequest {
    const { reasoning = true, model } = this.#options;
    const output = this.takesOutputSchema ? request.outputSchema?.('openai', { strict: this.#plan.strict }) : undefined;
    const { text, include, store, tool_choice: _choice, parallel_tool_calls: _parallel, ...rest } = this.#parameters;
    const included = new Set([...(include ?? []), ...(reasoning ? ([REASONING] as const) : [])]);
    const form = output === undefined ? text : { ...text, format: writeTextFormat(output) };
    const messages = this.#leftOut.ofRequest(request, (part) => findResponseProblem(part) === undefined);
    const input = writeResponseItems(messages, {
      adapter: this.name,
      isStored: store === true,
      plan,
      written: this.#written,
    });
    const { settings = {} } = request;
    refuseStops(this.name, settings);
    return {
      ...rest,
      ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
      model,
      input,
      store: store === true,
      ...(included.size === 0 ? {} : { include: [...included] }),
      ...(form === undefined ? {} : { text: form }),
      ...this.#writeTools(settings, plan),
    };
  }

  #writeTools(
    settings: ModelSettings,
    plan: ResponsePlan,
  ): Pick<ResponseRequest, 'tools' | 'tool_choice' | 'parallel_tool_calls'> {
    const tools = writeResponseTools(this.name, plan.tools, plan);
    refuseSearchChoice(this.name, settings, plan.search);
    const chosen = writeChoice(readToolChoice(this.name, settings, plan));
    if (tools.length === 0) return {};
    const { tool_choice = 'auto', parallel_tool_calls } = this.#parameters;
    const parallel = settings.parallelToolCalls ?? parallel_tool_calls;
    return {
      tools,
      tool_choice: chosen ?? tool_choice,
      ...(parallel === undefined ? {} : { parallel_tool_calls: parallel }),
    };
  }
}

type Choice = NonNullable<ResponseRequest['tool_choice']>;

function writeChoice(chosen: ReturnType<typeof readToolChoice>): Choice | undefined {
  return typeof chosen === 'object' ? { type: 'function', name: chosen.name } : chosen;
}

/** Writes the schema of the answer in the form of a Responses request (docs/contract.md, 14). */
function writeTextFormat(output: OutputSchema): OpenAI.Responses.ResponseFormatTextJSONSchemaConfig {
  return { type: 'json_schema', ...writeResponseFormat(output).json_schema, schema: { ...output.schema } };
}
