import type { OpenAI } from 'openai';
import type { ModelAdapter, ModelPart, ModelRequest, ModelResponse, ToolSchema } from '../../interface/ModelAdapter.js';
import { isFields } from '../../provider/fields.js';
import { ProviderLink } from '../../provider/ProviderLink.js';
import { withoutFields } from '../../provider/withoutFields.js';
import { readResponse } from './readResponse.js';
import { responseItems } from './responseItems.js';
import { responseTools } from './responseTools.js';
import { StreamedResponse } from './StreamedResponse.js';
import { textFormat } from './textFormat.js';

type ResponseRequest = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type StreamedResponseRequest = OpenAI.Responses.ResponseCreateParamsStreaming;

/** Fields that the adapter writes itself, that would say the conversation twice, or that it could not read the answer of. */
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

/** Hands reasoning over in a form that can be sent back. */
const REASONING = 'reasoning.encrypted_content';

/**
 * Further fields of the request, such as `reasoning`, `max_output_tokens` or `prompt_cache_key`, sent as they are.
 * `tool_choice` and `parallel_tool_calls` are sent only beside tools, because the provider refuses them alone.
 */
export type ResponseParameters = Partial<Omit<ResponseRequest, (typeof OWN_FIELDS)[number]>>;

/**
 * What is used of the official client: an `OpenAI`, an `AzureOpenAI`, or what wraps one. Said by its shape, because the
 * package declares its classes twice, for `import` and for `require`, and neither fits the other.
 */
export interface OpenAIResponsesClient {
  /** Only to keep it out of errors. */
  readonly apiKey?: unknown;
  readonly responses: {
    create(
      body: ResponseRequest | StreamedResponseRequest,
      options: { readonly signal: AbortSignal; readonly maxRetries: number },
    ): PromiseLike<unknown>;
  };
}

/** What an `OpenAIResponsesAdapter` is made of. */
export interface OpenAIResponsesOptions {
  /** The official client; its key, base URL and timeout stay as they were set up. */
  readonly client: OpenAIResponsesClient;
  /** The provider's name of the model, e.g. `gpt-5-mini`. */
  readonly model: string;
  /** Ask for arguments that fit the schema exactly, wherever the schema can be said that way; true when left out. */
  readonly strict?: boolean | undefined;
  /**
   * Send the form of the answer as `text.format`; true when left out. False for a server that does not know it: the system
   * message says the form then.
   */
  readonly outputSchema?: boolean | undefined;
  /**
   * Ask for the reasoning in encrypted form, and send it back with the next request; true when left out. False for a model that
   * does not reason, or a server that does not know it.
   */
  readonly reasoning?: boolean | undefined;
  /**
   * Which tools the model finds by searching, with a tool of the provider, in place of reading them in every request; none when
   * left out. Worth it from some dozens of tools on; older models refuse it.
   */
  readonly deferTools?: ((tool: ToolSchema) => boolean) | undefined;
  readonly parameters?: ResponseParameters | undefined;
}

/**
 * Lets a model of OpenAI, or of a server that speaks its Responses API, answer a run (docs/contract.md, 16). The provider keeps
 * nothing unless `parameters.store` says so: every request holds the whole conversation, reasoning included. Nothing is
 * repeated here, nor by the client: the loop asks again, since it knows the deadline.
 *
 * @example
 * const adapter = new OpenAIResponsesAdapter({ client: new OpenAI(), model: 'gpt-5-mini' });
 * const response = await app.evaluate(app.prompt(SupportDesk), { adapter, session });
 */
export class OpenAIResponsesAdapter implements ModelAdapter {
  readonly name: string;
  readonly takesOutputSchema: boolean;
  readonly #client: OpenAIResponsesClient;
  readonly #link: ProviderLink;
  readonly #model: string;
  readonly #strict: boolean;
  readonly #reasoning: boolean;
  readonly #isDeferred: (tool: ToolSchema) => boolean;
  readonly #parameters: ResponseParameters;

  constructor(options: OpenAIResponsesOptions) {
    const { client, model, strict = true, outputSchema = true, reasoning = true } = options;
    const { deferTools: isDeferred = () => false, parameters = {} } = options;
    this.name = `openai:${model}`;
    this.takesOutputSchema = outputSchema;
    this.#client = client;
    this.#link = new ProviderLink(this.name, client.apiKey);
    this.#model = model;
    this.#strict = strict;
    this.#reasoning = reasoning;
    this.#isDeferred = isDeferred;
    this.#parameters = withoutFields(parameters, OWN_FIELDS);
  }

  /**
   * Asks the model once.
   *
   * @throws ThrottleError when the provider may answer later; PromptEvaluationError with phase `request` when the provider's
   * limits forbid the request, when it answers with an error, or when it cannot be reached; with phase `response` (E702) when
   * the answer cannot be used; the reason of the request's signal once that is aborted
   */
  async complete(request: ModelRequest): Promise<ModelResponse> {
    return this.#read(await this.#send(request, this.#body(request)));
  }

  /**
   * Asks the model once, and gives its answer as it comes. The connection is closed when its reader leaves.
   *
   * @throws what `complete` throws; ThrottleError when the answer breaks off, since nothing has been done with it
   */
  async *stream(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    const sent = await this.#send(request, { ...this.#body(request), stream: true });
    const answer = new StreamedResponse(this.name);
    yield* this.#link.texts(request.signal, sent, (event) => answer.add(event));
    if (!answer.isWhole) throw this.#link.brokenOff();
    yield { kind: 'response', response: this.#read(answer.response) };
  }

  #send({ signal }: ModelRequest, body: ResponseRequest | StreamedResponseRequest): Promise<unknown> {
    return this.#link.send(signal, () => this.#client.responses.create(body, { signal, maxRetries: 0 }));
  }

  /** A response that failed comes with status 200 all the same. */
  #read(response: unknown): ModelResponse {
    const error = isFields(response) ? response['error'] : undefined;
    if (isFields(error)) throw this.#link.failed(error);
    return readResponse(this.name, response);
  }

  #body(request: ModelRequest): ResponseRequest {
    const tools = responseTools(this.name, request.toolSchemas('openai', { strict: this.#strict }), this.#isDeferred);
    const output = this.takesOutputSchema ? request.outputSchema?.('openai', { strict: this.#strict }) : undefined;
    const { tool_choice = 'auto', parallel_tool_calls, text, include, store, ...rest } = this.#parameters;
    const included = new Set([...(include ?? []), ...(this.#reasoning ? ([REASONING] as const) : [])]);
    const form = output === undefined ? text : { ...text, format: textFormat(output) };
    return {
      ...rest,
      model: this.#model,
      input: responseItems(request.messages, store === true),
      store: store === true,
      ...(included.size === 0 ? {} : { include: [...included] }),
      ...(form === undefined ? {} : { text: form }),
      ...(tools.length === 0
        ? {}
        : { tools, tool_choice, ...(parallel_tool_calls === undefined ? {} : { parallel_tool_calls }) }),
    };
  }
}
