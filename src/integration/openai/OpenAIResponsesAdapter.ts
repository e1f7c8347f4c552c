import type { OpenAI } from 'openai';
import type {
  ModelAdapter,
  ModelPart,
  ModelRequest,
  ModelResponse,
  ToolSchema,
  OutputSchema,
} from '../../interface/ModelAdapter.js';
import { isFields } from '../../provider/fields.js';
import { ProviderLink } from '../../provider/ProviderLink.js';
import { withoutFields } from '../../provider/withoutFields.js';
import { readResponse } from './readResponse.js';
import { responseItems } from './responseItems.js';
import { responseTools } from './responseTools.js';
import { StreamedResponse } from './StreamedResponse.js';
import { responseFormat } from './responseFormat.js';

type ResponseRequest = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type StreamedResponseRequest = OpenAI.Responses.ResponseCreateParamsStreaming;

/** Fields that the adapter writes itself, that would repeat the conversation, or whose answers it could not read. */
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
 * and `parallel_tool_calls` are sent only together with tools, because the provider refuses them alone.
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
   * Returns true for tools that the model finds by searching, with a tool of the provider, and that are not part of every
   * request; none when left out. Useful from some dozens of tools on; older models refuse it.
   */
  readonly deferTools?: ((tool: ToolSchema) => boolean) | undefined;
  readonly parameters?: ResponseParameters | undefined;
}

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
   * Sends one request to the model.
   *
   * @throws ThrottleError if the provider may answer later; PromptEvaluationError with phase `request` if the provider's limits
   * forbid the request, if it answers with an error, or if it cannot be reached; with phase `response` (E702) if the answer
   * cannot be used; the reason of the request's signal once that is aborted
   */
  async complete(request: ModelRequest): Promise<ModelResponse> {
    return this.#read(await this.#send(request, this.#body(request)));
  }

  /**
   * Sends one request to the model, and streams its answer. Leaving the loop over it closes the connection.
   *
   * @throws what `complete` throws; ThrottleError if the answer breaks off, since nothing of it has been used
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

  /** Reads a response; one that failed has status 200 all the same. */
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

/** Writes the schema of the answer in the form of a Responses request (docs/contract.md, 14). */
function textFormat(output: OutputSchema): OpenAI.Responses.ResponseFormatTextJSONSchemaConfig {
  return { type: 'json_schema', ...responseFormat(output).json_schema, schema: { ...output.schema } };
}
