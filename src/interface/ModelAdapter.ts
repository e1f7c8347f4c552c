import type { JsonSchema, JsonValue } from '../common/types.js';
import type { Message, NativeContent } from '../value/Message.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { Usage } from '../value/Usage.js';

/** The dialect of JSON Schema that a provider accepts; `json-schema` is unrestricted draft 2020-12 (docs/schemas.md). */
export type SchemaTarget = 'json-schema' | 'openai' | 'anthropic' | 'mcp' | 'gemini';

/** Options for writing schemas for a target. */
export interface SchemaOptions {
  /**
   * Requests the mode in which a provider guarantees arguments that fit the schema, and accepts few keywords. OpenAI and
   * Anthropic have one; elsewhere, and for a tool that it cannot express, the schema is written without it.
   */
  readonly strict?: boolean | undefined;
}

/** A part of a tool's schema that a dialect cannot express. */
export interface SchemaLoss {
  /** Its location, as a JSON Pointer into the tool's own schema; `''` is the root. */
  readonly path: string;
  /** The keyword that could not be expressed there, `optional`, or the name of the provider's limit that was exceeded. */
  readonly keyword: string;
  /** The keyword's value; for a limit, the count. */
  readonly value: unknown;
  /**
   * `description`: described there in prose. `widened`: expressed less exactly. `required`: the property can no longer be left
   * out. `dropped`: not expressed at all. `plain`: because of it, the tool is sent without the requested strict mode.
   */
  readonly became: 'description' | 'widened' | 'required' | 'dropped' | 'plain';
}

/** A tool as sent to a provider. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** Schema of the arguments: always an object. */
  readonly parameters: JsonSchema;
  /** True if the schema fits the provider's strict mode and requests it. */
  readonly strict: boolean;
}

/** A tool's schema, written for a target, with its losses. The parser still checks whatever was lost. */
export interface LoweredToolSchema extends ToolSchema {
  readonly losses: readonly SchemaLoss[];
}

/** The form of the final answer as sent to a provider, with its losses; the answer is parsed in any case. */
export interface OutputSchema {
  /** The name of the class. */
  readonly name: string;
  /** Schema of the answer: always an object; a list is its property `items`. */
  readonly schema: JsonSchema;
  /** True if the schema fits the provider's strict mode and requests it. */
  readonly strict: boolean;
  readonly losses: readonly SchemaLoss[];
}

/** Which tools the model may or must call: any, none, at least one, or the named one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** Settings of a request that every adapter maps to its provider's own, or refuses. */
export interface ModelSettings {
  readonly toolChoice?: ToolChoice | undefined;
  /** False if the model may make one call an answer. */
  readonly parallelToolCalls?: boolean | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly temperature?: number | undefined;
}

/**
 * A request in the provider's own form, cut into the entries that its cache and its checks compare, without cache marks.
 * Request N+1 of a conversation begins with the entries of request N (docs/contract.md, 17).
 */
export interface SentRequest {
  readonly tools: readonly unknown[];
  readonly system: readonly unknown[];
  readonly messages: readonly unknown[];
  /** Everything else, e.g. `temperature`: a change may cost the cache, and breaks no binding. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One request to a model: the whole conversation so far, and the tools that it may call. */
export interface ModelRequest {
  /** The system message, then everything that was sent since; each object stays the same in every later request. */
  readonly messages: readonly Message[];
  /** The tools that are enabled now, lowered to a provider's dialect; the same input yields the same bytes. */
  toolSchemas(target: SchemaTarget, options?: SchemaOptions): readonly ToolSchema[];
  /**
   * The tools that were offered when the conversation began: the same list, with the same bytes, in every request. Tools that
   * came or went since are named by `tools` of a message. Left out in a request without a conversation.
   */
  offeredTools?(target: SchemaTarget, options?: SchemaOptions): readonly ToolSchema[];
  /** The tools of sections that were closed when the conversation began, in the same way. */
  closedTools?(target: SchemaTarget, options?: SchemaOptions): readonly ToolSchema[];
  /** What `ModelAdapter.means` returned when the conversation began with this adapter. */
  readonly means?: JsonValue | undefined;
  readonly settings?: ModelSettings | undefined;
  /** Is called by an adapter with each request that it sends, for the ledger of the prefix. */
  readonly onSent?: ((sent: SentRequest) => void) | undefined;
  /**
   * Example inputs of a tool, by its name, as a model would write them. The prompt's text shows them in any case.
   */
  readonly toolExamples?: ((name: string) => readonly Readonly<Record<string, unknown>>[]) | undefined;
  /** The required form of the final answer, lowered to a provider's dialect; left out if any text will do. */
  readonly outputSchema?: ((target: SchemaTarget, options?: SchemaOptions) => OutputSchema) | undefined;
  /** Aborts when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
}

/** The reason why the model stopped. `length`: cut short by the output limit; `refusal`: it declined to answer. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'refusal' | 'other';

/** One answer of a model. */
export interface ModelResponse {
  readonly text: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  readonly usage?: Usage | undefined;
  /** Why the provider could not use its cache for the request, in its own words. */
  readonly cacheMiss?: string | undefined;
  /** The answer in the provider's own form, if the provider expects it back with the next request. */
  readonly native?: NativeContent | undefined;
}

/**
 * A part of a streamed answer. `response` is the last one: the whole answer, including the texts of the preceding parts.
 * Its calls are run only then, so that no partial answer takes effect.
 */
export type ModelPart =
  | { readonly kind: 'text'; readonly text: string }
  /** A part of the model's reasoning, where the provider shows it. */
  | { readonly kind: 'reasoning'; readonly text: string }
  /** A part of the arguments of a call, as JSON text; `id` and `name` are those of the call. */
  | { readonly kind: 'tool_input'; readonly id: string; readonly name: string; readonly text: string }
  | { readonly kind: 'response'; readonly response: ModelResponse };

/**
 * Port to a model: turns one request into one response, or into a stream of its parts, and nothing else; the framework runs the
 * loop (docs/contract.md, 16).
 */
export interface ModelAdapter {
  /** Shown in errors and events, e.g. `openai:gpt-5-mini`. */
  readonly name: string;
  /**
   * True if it sends `outputSchema` to its provider. Otherwise, the system message of a request that requires a form describes
   * it in prose.
   */
  readonly takesOutputSchema?: boolean | undefined;
  /**
   * Returns true if its provider can guarantee an answer of this form. Otherwise, the form is described in prose, as it is without
   * `takesOutputSchema`. Without this method, every form counts as possible.
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
   * Checks the content of messages before they become a part of a conversation. Without this method, nothing is refused there.
   *
   * @throws PromptEvaluationError E724 for an image, a file or audio that the provider does not take in a message of a user
   */
  checkContent?(messages: readonly Message[]): void | Promise<void>;
  /**
   * Removes the parts of an answer that its provider binds to everything before it, such as signed thinking: a conversation that goes on with other
   * earlier messages sends the rest back. Undefined if nothing is left, or if the answer came from another provider. Without this
   * method, answers go back as they came.
   */
  unbind?(native: NativeContent): NativeContent | undefined;
  /**
   * Returns how tools that come and go in a conversation reach this provider, and what else of its requests must stay the
   * same. It is asked once, when a conversation begins, recorded, and passed in every request.
   */
  means?(begin: Pick<ModelRequest, 'offeredTools' | 'closedTools'>): JsonValue;
  complete(request: ModelRequest): Promise<ModelResponse>;
  /**
   * Streams the same answer in parts, for `app.stream`; without it, the text of an answer comes in one piece. Parts are
   * requested one at a time, and none after the run has ended: `return()` of the iterator then releases what it holds.
   */
  stream?(request: ModelRequest): AsyncIterable<ModelPart>;
}
