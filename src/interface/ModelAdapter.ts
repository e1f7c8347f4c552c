import type { JsonSchema, JsonValue } from '../common/types.js';
import type { FailedRequest } from '../error/createFallbackError.js';
import type { ProviderFailure } from '../error/ProviderFailure.js';
import type { Message, NativeContent } from '../value/Message.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { Usage } from '../value/Usage.js';

/** The dialect of JSON Schema that a provider accepts. `json-schema` is unrestricted draft 2020-12 (docs/schemas.md). */
export type SchemaTarget = 'json-schema' | 'openai' | 'anthropic' | 'mcp' | 'gemini';

/** Options for writing schemas for a target. */
export interface SchemaOptions {
  /**
   * Requests the strict mode, in which the provider guarantees that arguments match the schema, and which accepts few
   * keywords. OpenAI and Anthropic have one. For other providers, and for a tool that strict mode cannot express, the
   * schema is written without it.
   */
  readonly strict?: boolean | undefined;
}

/** A part of a tool's schema that a dialect cannot express. */
export interface SchemaLoss {
  /** The location of the part, as a JSON Pointer into the schema of the tool; `''` is the root. */
  readonly path: string;
  /** The keyword that the dialect cannot express, `optional`, or the name of the exceeded limit of the provider. */
  readonly keyword: string;
  /** The keyword's value; for a limit, the count. */
  readonly value: unknown;
  /**
   * How the part was replaced. `description`: described there in prose. `widened`: expressed less exactly. `required`:
   * the property can no longer be left out. `dropped`: not expressed. `plain`: because of it, the tool is sent without
   * the requested strict mode.
   */
  readonly became: 'description' | 'widened' | 'required' | 'dropped' | 'plain';
}

/** A tool as sent to a provider. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** Schema of the arguments: always an object. */
  readonly parameters: JsonSchema;
  /** True if the schema requests the provider's strict mode. */
  readonly strict: boolean;
}

/** The schema of a tool, written for a target, with its losses. The parser still checks everything. */
export interface LoweredToolSchema extends ToolSchema {
  readonly losses: readonly SchemaLoss[];
}

/** The form of the final answer as sent to a provider, with its losses. The answer is parsed in any case. */
export interface OutputSchema {
  /** The name of the class. */
  readonly name: string;
  /** Schema of the answer: always an object. A list becomes its property `items`. */
  readonly schema: JsonSchema;
  /** True if the schema requests the provider's strict mode. */
  readonly strict: boolean;
  readonly losses: readonly SchemaLoss[];
}

/** Says which tools the model may or must call: any, none, at least one, or the named one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** Settings of a request. Every adapter maps them to the provider's own settings, or refuses them. */
export interface ModelSettings {
  readonly toolChoice?: ToolChoice | undefined;
  /** False if the model may make only one call in an answer. */
  readonly parallelToolCalls?: boolean | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly temperature?: number | undefined;
}

/**
 * A request in the provider's form, cut into the entries that the provider's cache and checks compare, without cache
 * marks. Request N+1 of a conversation begins with the entries of request N (docs/contract.md, 17).
 */
export interface SentRequest {
  readonly tools: readonly unknown[];
  readonly system: readonly unknown[];
  readonly messages: readonly unknown[];
  /** All other fields, e.g. `temperature`. A change may cost the cache, but does not break a binding. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One request to a model: the whole conversation so far, and the tools that it may call. */
export interface ModelRequest {
  /** The system message, then everything that was sent since. Each object stays the same in every later request. */
  readonly messages: readonly Message[];
  /** Returns the tools that are currently enabled, lowered to a provider's dialect. The same input yields the same bytes. */
  toolSchemas(target: SchemaTarget, options?: SchemaOptions): readonly ToolSchema[];
  /**
   * Returns the tools that were offered when the conversation began: the same list with the same bytes in every
   * request. `tools` of a message names the tools that came or went since. Left out in a request without a
   * conversation.
   */
  offeredTools?(target: SchemaTarget, options?: SchemaOptions): readonly ToolSchema[];
  /** Returns the tools of sections that were closed when the conversation began, in the same way. */
  closedTools?(target: SchemaTarget, options?: SchemaOptions): readonly ToolSchema[];
  /**
   * The offered tool that searches for closed ones; undefined if the prompt has none. An adapter may declare it in the form that its
   * provider has for a search.
   */
  readonly searchTool?: string | undefined;
  /** The value that `ModelAdapter.means` returned when the conversation began with this adapter. */
  readonly means?: JsonValue | undefined;
  readonly settings?: ModelSettings | undefined;
  /** An adapter calls it with each request that it sends, for the ledger of the prefix. */
  readonly onSent?: ((sent: SentRequest) => void) | undefined;
  /** Returns the example inputs of a tool, by its name, as a model would write them. The text of the prompt shows them in any case. */
  readonly toolExamples?: ((name: string) => readonly Readonly<Record<string, unknown>>[]) | undefined;
  /** Returns the required form of the final answer, lowered to a provider's dialect. Left out if any text is allowed. */
  readonly outputSchema?: ((target: SchemaTarget, options?: SchemaOptions) => OutputSchema) | undefined;
  /** Aborts when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
}

/** The reason why the model stopped. `length`: the output limit was reached; `refusal`: the model declined to answer. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'refusal' | 'other';

/** One answer of a model. */
export interface ModelResponse {
  readonly text: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  readonly usage?: Usage | undefined;
  /** Why the provider could not use its cache for the request, in the words of the provider. */
  readonly cacheMiss?: string | undefined;
  /** The answer in the provider's own form, if the provider expects it back with the next request. */
  readonly native?: NativeContent | undefined;
}

/**
 * A part of a streamed answer. `response` comes last and is the whole answer, including the texts of the preceding
 * parts. Its calls are run only then, so that a partial answer has no effect.
 */
export type ModelPart =
  | { readonly kind: 'text'; readonly text: string }
  /** A part of the model's reasoning, if the provider shows it. */
  | { readonly kind: 'reasoning'; readonly text: string }
  /** A part of the arguments of a call, as JSON text, with the id and name of the call. */
  | { readonly kind: 'tool_input'; readonly id: string; readonly name: string; readonly text: string }
  | { readonly kind: 'response'; readonly response: ModelResponse };

/**
 * Port to a model. Turns one request into one response or a stream of its parts, and nothing else: Toolwright runs the
 * loop (docs/contract.md, 16).
 */
export interface ModelAdapter {
  /** Shown in errors and events, e.g. `openai:gpt-5-mini`. */
  readonly name: string;
  /** True if the adapter sends `outputSchema` to its provider. Otherwise, the system message describes a required form in prose. */
  readonly takesOutputSchema?: boolean | undefined;
  /**
   * Returns true if its provider can guarantee an answer of this form. Otherwise, the form is described in prose, as
   * without `takesOutputSchema`. Without this method, every form is assumed to be possible.
   *
   * @param schemaFor as in `ModelRequest.outputSchema`
   */
  expressesOutput?(schemaFor: NonNullable<ModelRequest['outputSchema']>): boolean;
  /**
   * True if the model's reasoning is bound to the schema of the answer. A conversation then sends the schema that it began with in
   * every request, and describes every other form in a note.
   */
  readonly bindsOutputSchema?: boolean | undefined;
  /**
   * Checks the content of messages before they become part of a conversation. Without this method, all content is
   * accepted there.
   *
   * @throws PromptEvaluationError E724 for an image, a file or audio that the provider does not accept in a message of
   * a user
   */
  checkContent?(messages: readonly Message[]): void | Promise<void>;
  /**
   * Removes the parts of an answer that its provider binds to everything before it, such as signed thinking. A
   * conversation that continues with other earlier messages sends back the rest. Returns undefined if nothing is left,
   * or if another provider wrote the answer. Without this method, answers are sent back unchanged.
   */
  unbind?(native: NativeContent): NativeContent | undefined;
  /**
   * Returns adapter settings that decide how tools that come and go in a conversation reach this provider, and which
   * other parts of its requests must stay the same. Called once, when a conversation begins; the value is recorded and
   * passed in every request.
   */
  means?(begin: Pick<ModelRequest, 'offeredTools' | 'closedTools' | 'searchTool'>): JsonValue;
  /** Of an adapter that stands for several, as `fallback` makes it: a run sends its requests to one of these. */
  readonly route?: ModelRoute | undefined;
  complete(request: ModelRequest): Promise<ModelResponse>;
  /**
   * Streams the same answer in parts, for `app.stream` and durable runs. Without it, an answer comes in one part. Parts are
   * requested one at a time, and none after the run has ended: `return()` of the iterator then releases its resources.
   */
  stream?(request: ModelRequest): AsyncIterable<ModelPart>;
}

/** Decides which of several adapters gets the requests of a run. Made by `fallback`. */
export interface ModelRoute {
  /** All adapters, the preferred one first. */
  readonly adapters: readonly ModelAdapter[];
  /** How often a throttled request is repeated before another adapter gets it. */
  readonly retries: number;
  /**
   * Returns the adapter with which a run begins.
   *
   * @param current the name of the adapter that the conversation went to last, which is kept while its circuit is closed; undefined for
   * a new conversation
   */
  choose(current: string | undefined): ModelAdapter;
  /**
   * Returns the adapter that gets a request after others failed; undefined if none is left whose circuit is closed.
   *
   * @param tried the names of the adapters that failed
   */
  next(tried: ReadonlySet<string>): ModelAdapter | undefined;
  /**
   * Sends a request to an adapter, unless its circuit is open, and counts how it ends.
   *
   * @throws PromptEvaluationError E757 if the circuit is open; errors of `send`, unchanged
   */
  ask<T>(adapter: ModelAdapter, send: () => Promise<T>): Promise<T>;
  /** Returns why another adapter may get the request; undefined if the error ends the run. */
  readFailure(error: unknown): ProviderFailure | undefined;
  /** Returns why another adapter may get the request although there is an answer; undefined if the answer counts. */
  readRefusal(response: ModelResponse): ProviderFailure | undefined;
  /** Lists the adapters that were not tried because their circuits are open, with the failure that opened each. */
  listOpen(tried: ReadonlySet<string>): readonly FailedRequest[];
}
