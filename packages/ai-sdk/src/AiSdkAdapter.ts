import type { JsonValue, Message, ModelAdapter, ModelRequest, ModelResponse } from 'toolwright';
import type { ModelPart, NativeContent, SchemaTarget, ToolSchema } from 'toolwright/adapters';
import {
  describeOutput,
  LeftOutParts,
  type OptionNames,
  ProviderLink,
  requireOptionNames,
  createAnswerErrors,
  omitFields,
} from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';
import {
  decideMeans,
  checkClosedTools,
  readMeans,
  type ClosedTools,
  type MeansOptions,
  pinBetas,
} from './decideMeans.js';
import type {
  AiLanguageModel,
  AiModelRequest,
  AiModelParameters,
  AiProviderOptions,
  AiProviderTool,
} from './AiLanguageModel.js';
import { leaveOutFiles, refuseFiles } from './fileParts.js';
import { markPrompt, PromptWriter } from './PromptWriter.js';
import { writeModelTools, type AiTools } from './writeModelTools.js';
import { readNativeName, removeReasoning } from './readNativeParts.js';
import { modesIn } from './toolModes.js';
import { findProviderFamily, type ProviderFamily, requireModel } from './findProviderFamily.js';
import { mergeOptions } from './providerOptions.js';
import { isPaused, readAnswer } from './readAnswer.js';
import { streamWithoutParts, StreamedAnswer } from './StreamedAnswer.js';
import { writeRequestSettings } from './writeRequestSettings.js';
import { MAX_PIECES } from './limits.js';

/** Options of `AiSdkAdapter`. */
export interface AiSdkOptions {
  /** A model of any provider of the AI SDK, e.g. `openai('gpt-5-mini')`; the provider's own settings are not changed. */
  readonly model: AiLanguageModel;
  /**
   * Sent unchanged with every request. For the Responses API, `store: false` and the inclusion of encrypted reasoning are added,
   * unless these options contain `store: true`.
   */
  readonly providerOptions?: AiProviderOptions | undefined;
  /** Further settings of a request, such as `temperature`, sent unchanged. */
  readonly parameters?: AiModelParameters | undefined;
  /** The dialect of schemas. When left out, the dialect of the model's provider, or JSON Schema if the provider is unknown. */
  readonly target?: SchemaTarget | undefined;
  /** Requests arguments that fit the schema exactly, if the dialect has such a mode; false when left out. */
  readonly strict?: boolean | undefined;
  /**
   * Sends the schema of the answer as `responseFormat`; true when left out. False for a model without support for it: the schema
   * is then part of the system message, as is one that the provider cannot express.
   */
  readonly outputSchema?: boolean | undefined;
  /**
   * The marks for the provider's cache at the ends of the prompt and of the conversation. When left out, the model's provider
   * decides: Anthropic and Bedrock need marks, the others do not.
   */
  readonly cache?: AiProviderOptions | false | undefined;
  /**
   * Sends the inputs of a tool's examples with the tool, in addition to the prompt, which always shows them; false when left
   * out. Useful if the provider supports them, as Anthropic does.
   */
  readonly inputExamples?: boolean | undefined;
  /** Returns the provider options of a tool, e.g. `{ anthropic: { deferLoading: true } }`. */
  readonly toolOptions?: ((tool: ToolSchema) => AiProviderOptions | undefined) | undefined;
  /** Tools that the provider runs itself, listed before the tools of the prompt, e.g. its search among deferred tools. */
  readonly providerTools?: readonly AiProviderTool[] | undefined;
  /**
   * How tools of sections that are closed when a conversation begins reach the model. `native`: the provider learns of them once
   * they are opened, by `toolChanges` of `@ai-sdk/anthropic` or `additionalTools` of `@ai-sdk/openai`; `listed`: all are in the list
   * from the start, and are refused until they are opened; `bridge`: they are called through one tool that never changes. When left
   * out, `native` for V4 models of `anthropic` and `openai.responses` that are known to support it; otherwise few tools are listed,
   * and many are reached through the bridge.
   */
  readonly closedTools?: ClosedTools | undefined;
}

const optionNames: OptionNames<AiSdkOptions> = {
  model: 1,
  providerOptions: 1,
  parameters: 1,
  target: 1,
  strict: 1,
  outputSchema: 1,
  cache: 1,
  inputExamples: 1,
  toolOptions: 1,
  providerTools: 1,
  closedTools: 1,
};

/** A request for the model, and the tools that are needed to read its answer. */
interface Prepared {
  readonly call: AiModelRequest;
  readonly tools: AiTools;
}

/** Fields that the adapter writes itself, or covers with an option. */
const OWN_FIELDS = ['prompt', 'tools', 'responseFormat', 'providerOptions', 'abortSignal', 'includeRawChunks'] as const;

/**
 * Lets a model of any provider of the AI SDK answer a run: specification V3 (`ai` 6) and V4 (`ai` 7). The model is called
 * directly; Toolwright runs the loop, and retries (docs/contract.md, 16).
 *
 * @throws ToolwrightError E721 if `model` is not a language model of the AI SDK
 * @example
 * const adapter = new AiSdkAdapter({ model: anthropic('claude-sonnet-5') });
 * const response = await app.evaluate(app.prompt(SupportDesk), { adapter, session });
 */
export class AiSdkAdapter implements ModelAdapter {
  readonly name: string;
  readonly takesOutputSchema: boolean;
  readonly bindsOutputSchema: boolean;
  readonly #model: AiLanguageModel;
  readonly #family: ProviderFamily;
  readonly #leftOut = new LeftOutParts();
  readonly #link: ProviderLink;
  readonly #options: AiSdkOptions;
  readonly #meansOptions: MeansOptions;
  readonly #formIsStrict: boolean;
  readonly #cacheMark: AiProviderOptions | undefined;
  readonly #providerOptions: AiProviderOptions | undefined;
  readonly #parameters: AiModelParameters;
  #writer: PromptWriter;

  constructor(options: AiSdkOptions) {
    requireOptionNames('AiSdkAdapter', options, optionNames);
    const { model, providerOptions, parameters = {}, strict = false, outputSchema = true, cache } = options;
    requireModel(model);
    const family = findProviderFamily(model.provider);
    const { target = family.target, inputExamples = false, providerTools = [] } = options;
    const { toolOptions: optionsOf = () => undefined } = options;
    this.name = `${model.provider}:${model.modelId}`;
    this.takesOutputSchema = outputSchema;
    this.bindsOutputSchema = family.bindsForm === true;
    this.#model = model;
    this.#family = family;
    // The key is not accessible here; anything that looks like a key is removed from errors all the same.
    this.#link = new ProviderLink(this.name, undefined);
    this.#options = options;
    const { limits, toolOptions: fixedOptions } = family;
    const written = new WeakMap();
    const toolModes = { target, strict, inputExamples, limits, optionsOf, fixedOptions, written };
    this.#meansOptions = { model, toolModes, providerTools, closedTools: options.closedTools };
    checkClosedTools(this.#meansOptions);
    const { provider, specificationVersion: version } = model;
    this.#writer = new PromptWriter({ provider, version, keepsBlank: family.keepsBlank === true });
    this.#formIsStrict = family.formIsStrict && target === family.target;
    this.#cacheMark = cache === false ? undefined : (cache ?? family.cacheMark);
    this.#providerOptions = providerOptions;
    this.#parameters = omitFields(parameters, OWN_FIELDS);
  }

  /**
   * Returns the same adapter with further parameters, e.g. for one run: `adapter.with({ temperature: 0 })`. It can continue a
   * conversation of this adapter.
   *
   * @param parameters replace the adapter's parameters of the same name; the others stay
   */
  with(parameters: AiModelParameters): AiSdkAdapter {
    const adapter = new AiSdkAdapter({ ...this.#options, parameters: { ...this.#options.parameters, ...parameters } });
    adapter.#writer = this.#writer;
    return adapter;
  }

  /** @throws PromptEvaluationError E724 for content of users that the model does not take */
  checkContent(messages: readonly Message[]): Promise<void> {
    return refuseFiles(
      this.name,
      this.#model,
      messages.filter(({ role }) => role === 'user'),
    );
  }

  /** Returns false if the provider accepts schemas of answers only in strict mode, and that mode cannot express this one. */
  expressesOutput(schemaFor: NonNullable<ModelRequest['outputSchema']>): boolean {
    return !this.#formIsStrict || schemaFor(this.#meansOptions.toolModes.target, { strict: true }).strict;
  }

  /** Removes the reasoning of an answer if the provider binds it to everything before it. */
  unbind(native: NativeContent): NativeContent | undefined {
    const { provider } = this.#model;
    if (native.provider !== readNativeName(provider)) return undefined;
    return this.#family.bindsReasoning === true ? removeReasoning(native) : native;
  }

  /** Decides for a conversation that begins now how the model learns of tools that come and go, and where notes are put. */
  means(begin: Pick<ModelRequest, 'offeredTools' | 'closedTools'>): JsonValue {
    return JSON.parse(JSON.stringify(decideMeans(begin, this.#meansOptions))) as JsonValue;
  }

  /**
   * Sends one request to the model.
   *
   * @throws ThrottleError if the provider may answer later; PromptEvaluationError with phase `request` if the provider's limits
   * forbid the request, if a setting (E723) or a part of a message (E724) is not possible, if it answers with an error status,
   * or if it cannot be reached; with phase `response` (E702) if the answer cannot be used; the reason of the request's signal
   * once that is aborted
   */
  async complete(request: ModelRequest): Promise<ModelResponse> {
    const parts = this.#answer(request, ({ call }) =>
      streamWithoutParts(this.#link.send(request.signal, () => this.#model.doGenerate(call))),
    );
    for (;;) {
      const part = await parts.next();
      if (part.done === true) return part.value;
    }
  }

  /**
   * Sends one request to the model, and streams its answer. Leaving the loop over it cancels the stream.
   *
   * @throws the errors of `complete`; ThrottleError if the answer breaks off, since nothing of it has been used
   */
  async *stream(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    const response = yield* this.#answer(request, (prepared) => this.#readStream(request.signal, prepared));
    yield { kind: 'response', response };
  }

  /** Reads one answer. If the provider pauses, the next request continues the answer with the pieces so far. */
  async *#answer(
    request: ModelRequest,
    ask: (prepared: Prepared) => AsyncGenerator<ModelPart, unknown>,
  ): AsyncGenerator<ModelPart, ModelResponse> {
    const results: unknown[] = [];
    for (let said: NativeContent | undefined; ;) {
      const prepared = await this.#prepare(request, said);
      results.push(yield* ask(prepared));
      const response = this.#read(prepared, results);
      said = response.native;
      if (said === undefined || !isPaused(results.at(-1)) || results.length === MAX_PIECES) return response;
    }
  }

  async *#readStream(signal: AbortSignal, { call, tools }: Prepared): AsyncGenerator<ModelPart, unknown> {
    const sent = await this.#link.send(signal, () => this.#model.doStream(call));
    const parts = isRecord(sent) ? sent['stream'] : undefined;
    if (!isRecord(parts) || !(Symbol.asyncIterator in parts)) {
      throw createAnswerErrors(this.name)('did not answer with a stream', sent);
    }
    const answer = new StreamedAnswer(this.name, tools.bridge);
    yield* this.#link.parts(signal, parts, (part) => answer.add(part));
    if (!answer.isWhole) throw this.#link.createBrokenOffError();
    return answer.result;
  }

  #read({ call, tools }: Prepared, results: readonly unknown[]): ModelResponse {
    const { provider } = this.#model;
    return readAnswer({ adapter: this.name, provider, wantsForm: call.responseFormat !== undefined, tools }, results);
  }

  /** @param said the pieces of a paused answer that the request continues */
  async #prepare(request: ModelRequest, said: NativeContent | undefined): Promise<Prepared> {
    // Outside a conversation, files that the model does not take are refused; in a conversation, they are replaced by texts.
    if (request.offeredTools === undefined) await refuseFiles(this.name, this.#model, request.messages);
    const given = await leaveOutFiles(this.#leftOut, this.#model, request.messages);
    const means = readMeans(request.means) ?? decideMeans(request, this.#meansOptions);
    const recorded = request.offeredTools === undefined ? undefined : means.tools;
    const modes = modesIn(recorded, this.#meansOptions.toolModes);
    const planned = writeModelTools(this.name, request, modes, means);
    const tools = [...(recorded?.providerTools ?? this.#meansOptions.providerTools), ...planned.tools];
    const settings = writeRequestSettings(this.name, this.#model, request.settings, planned);
    const output = this.takesOutputSchema
      ? request.outputSchema?.(modes.target, { strict: this.#formIsStrict })
      : undefined;
    const isDescribed = output !== undefined && this.#formIsStrict && !output.strict;
    const messages = isDescribed ? describeOutput(given, output.schema) : given;
    const continued: readonly Message[] =
      said === undefined ? messages : [...messages, { role: 'assistant', content: null, native: said }];
    const written = this.#writer.write(continued, planned);
    const { toolChoice, ...parameters } = { ...this.#parameters, ...settings.parameters };
    const betas = request.offeredTools === undefined ? [] : pinBetas(this.#providerOptions, means);
    const pinned = betas.length === 0 ? undefined : { anthropic: { anthropicBeta: betas } };
    const stateless = this.#family.stateless?.(this.#model.modelId, this.#providerOptions);
    const providerOptions = mergeOptions(this.#providerOptions, stateless, settings.providerOptions, pinned);
    const fields = {
      ...parameters,
      ...(tools.length === 0 || toolChoice === undefined ? {} : { toolChoice }),
      ...(output === undefined || isDescribed
        ? {}
        : { responseFormat: { type: 'json' as const, schema: { ...output.schema }, name: output.name } }),
      ...(providerOptions === undefined ? {} : { providerOptions }),
    };
    request.onSent?.({ tools, ...written, parameters: fields });
    const prompt = markPrompt(written, this.#cacheMark);
    const call = { ...fields, prompt, ...(tools.length === 0 ? {} : { tools }), abortSignal: request.signal };
    return { call, tools: planned };
  }
}
