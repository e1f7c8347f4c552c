import type { Anthropic } from '@anthropic-ai/sdk';
import type { ModelRequest } from 'toolwright';
import type { NativeContent, SentRequest } from 'toolwright/adapters';
import { describeOutput, type LeftOutParts, type WrittenMessages } from 'toolwright/internal';
import type { SentBody } from './AnthropicClient.js';
import { findPartProblem } from './writePartBlocks.js';
import { writeConversationTools, type ConversationTools } from './writeConversationTools.js';
import type { Entry } from './ConversationWriter.js';
import { markCache, type CacheLifetime } from './markCache.js';
import { modesIn, readMeans, withBeta, type AnthropicMeans } from './decideMeans.js';
import { writeMessageParams, messagesOf, type MessageParams } from './writeMessageParams.js';
import type { MessageTool, ToolModes } from './writeMessageTools.js';
import { writeSettings, writeToolChoice } from './requestSettings.js';

type Parameters = Partial<Anthropic.Beta.Messages.MessageCreateParamsNonStreaming>;

/** Adapter settings that shape its requests. */
export interface RequestOptions {
  /** The adapter's name, for errors. */
  readonly adapter: string;
  readonly model: string;
  readonly maxTokens: number;
  readonly outputSchema: boolean;
  readonly toolModes: ToolModes;
  readonly cache: CacheLifetime | false;
  readonly parameters: Parameters;
  /** The betas that the parameters need. */
  readonly betas: readonly string[];
}

/** State that requests share with earlier ones. */
interface Memory {
  readonly decide: () => AnthropicMeans;
  readonly written: WrittenMessages<Entry>;
  readonly leftOut: LeftOutParts;
  /** Returns the provider's id of an answer. */
  readonly idOf: (native: NativeContent) => string | undefined;
}

/** A request without its cache marks. */
export interface PreparedRequest extends MessageParams {
  readonly tools: readonly MessageTool[];
  readonly parameters: Omit<SentBody, 'messages' | 'system' | 'tools' | 'stream' | 'diagnostics'>;
  readonly diagnostics: Parameters['diagnostics'];
  readonly cache: CacheLifetime | false;
  readonly plan: ConversationTools['plan'];
}

/**
 * Writes a request to the model: everything that later requests repeat, and the other parameters.
 *
 * @throws PromptEvaluationError with phase `request` if the provider would refuse it
 */
export function prepareRequest(request: ModelRequest, options: RequestOptions & Memory): PreparedRequest {
  const { adapter, parameters, cache } = options;
  const isConversation = request.offeredTools !== undefined || request.closedTools !== undefined;
  const means = isConversation ? (readMeans(request.means) ?? options.decide()) : undefined;
  const { tools, available, plan } = writeConversationTools(adapter, request, means, modesIn(means, options.toolModes));
  const { messages: described, format } = formOf(request, options);
  const messages = options.leftOut.ofRequest(request, (part) => findPartProblem(part) === undefined, described);
  const rules = { adapter, systemMessages: means?.systemMessages === true, tools: available, textOf: plan.textOf };
  const betas = withBeta(means?.betas ?? [], ...options.betas);
  return {
    ...writeMessageParams(messages, rules, options.written),
    tools,
    parameters: parametersOf(request, options, tools, { format, betas }),
    diagnostics: diagnosticsOf(request, parameters, options.idOf),
    cache,
    plan,
  };
}

/**
 * Returns a request in the form that is sent.
 *
 * @param said the pieces of a paused answer that the request continues
 */
export function writeBody(
  { tools, system, entries, parameters, diagnostics, cache }: PreparedRequest,
  said: readonly Entry[],
): SentBody {
  const plain = { tools, system, messages: messagesOf(entries) };
  const marked = cache === false ? plain : markCache(plain, cache);
  return {
    ...parameters,
    ...(diagnostics === undefined ? {} : { diagnostics }),
    ...(marked.system.length === 0 ? {} : { system: [...marked.system] }),
    messages: [...marked.messages, ...messagesOf(said)] as SentBody['messages'],
    ...(marked.tools.length === 0 ? {} : { tools: [...marked.tools] }),
  };
}

/** Returns a request in the form in which the ledger of the prefix compares it. */
export function toSentRequest(
  { tools, system, entries, parameters }: PreparedRequest,
  said: readonly Entry[],
): SentRequest {
  return { tools, system, messages: [...entries, ...said], parameters: { ...parameters } };
}

/** Returns the form of the answer: as a field for the provider, or as text for the model in the system message. */
function formOf(
  request: ModelRequest,
  { outputSchema }: RequestOptions,
): {
  readonly messages: ModelRequest['messages'];
  readonly format: { readonly format?: { type: 'json_schema'; schema: Record<string, unknown> } };
} {
  const output = outputSchema ? request.outputSchema?.('anthropic', { strict: true }) : undefined;
  if (output === undefined) return { messages: request.messages, format: {} };
  if (!output.strict) return { messages: describeOutput(request.messages, output.schema), format: {} };
  return { messages: request.messages, format: { format: { type: 'json_schema', schema: { ...output.schema } } } };
}

function parametersOf(
  { settings }: ModelRequest,
  { adapter, model, maxTokens, parameters }: RequestOptions,
  tools: readonly MessageTool[],
  { format, betas }: { readonly format: ReturnType<typeof formOf>['format']; readonly betas: readonly string[] },
): PreparedRequest['parameters'] {
  const { tool_choice: chosen, output_config: output, diagnostics: _diagnostics, ...rest } = parameters;
  const choice = writeToolChoice(settings, { adapter, model, tools: tools.map(({ name }) => name), chosen });
  const outputConfig = { ...output, ...format };
  return {
    ...rest,
    ...writeSettings(settings),
    model,
    max_tokens: maxTokens,
    ...(Object.keys(outputConfig).length === 0 ? {} : { output_config: outputConfig }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(betas.length === 0 ? {} : { betas: [...betas] }),
  };
}

/** Returns the field that names the answer before this request, so that the provider compares the two; a name of the host wins. */
function diagnosticsOf(
  { messages }: ModelRequest,
  { diagnostics }: Parameters,
  idOf: Memory['idOf'],
): Parameters['diagnostics'] {
  if (typeof diagnostics?.previous_message_id === 'string' || diagnostics === undefined || diagnostics === null) {
    return diagnostics;
  }
  const last = messages.filter((message) => message.role === 'assistant').at(-1);
  const native = last?.role === 'assistant' ? last.native : undefined;
  return { ...diagnostics, previous_message_id: native === undefined ? null : (idOf(native) ?? null) };
}
