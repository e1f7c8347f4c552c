import type { JsonSchema } from '../common/types.js';
import type { Message } from '../value/Message.js';
import type { NativeContent } from '../value/NativeContent.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { Usage } from '../value/Usage.js';

/** The dialect of JSON Schema that a provider takes; `json-schema` is draft 2020-12 as it is (docs/schemas.md). */
export type SchemaTarget = 'json-schema' | 'openai' | 'anthropic' | 'mcp' | 'gemini';

/** How schemas are written for a target. */
export interface SchemaOptions {
  /**
   * The mode in which a provider guarantees arguments that fit the schema, and takes few keywords. OpenAI and Anthropic have
   * one; elsewhere, and for a tool that cannot be said in it, the schema is written without.
   */
  readonly strict?: boolean | undefined;
}

/** Something that a tool's schema says and a dialect cannot say. */
export interface SchemaLoss {
  /** Where, as a JSON Pointer into the tool's own schema; `''` is the root. */
  readonly path: string;
  /** The keyword that could not be said there, `optional`, or the name of the provider's limit that was exceeded. */
  readonly keyword: string;
  /** The keyword's value; what was counted, for a limit. */
  readonly value: unknown;
  /**
   * `description`: it is said there, in words. `widened`: it is said less exactly. `required`: the property can no longer be
   * left out. `dropped`: nothing says it. `plain`: because of it, the tool is sent without the strict mode asked for.
   */
  readonly became: 'description' | 'widened' | 'required' | 'dropped' | 'plain';
}

/** A tool as a provider is told of it. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** Schema of the arguments: always an object. */
  readonly parameters: JsonSchema;
  /** True when the schema fits the provider's strict mode and asks for it. */
  readonly strict: boolean;
}

/** A tool's schema, written for a target, with what was lost on the way. Whatever was lost is still checked by the parser. */
export interface LoweredToolSchema extends ToolSchema {
  readonly losses: readonly SchemaLoss[];
}

/** The form of the final answer as a provider is told of it, with what was lost on the way: the answer is parsed all the same. */
export interface OutputSchema {
  /** The name of the class. */
  readonly name: string;
  /** Schema of the answer: always an object; a list is its property `items`. */
  readonly schema: JsonSchema;
  /** True when the schema fits the provider's strict mode and asks for it. */
  readonly strict: boolean;
  readonly losses: readonly SchemaLoss[];
}

/** One request to a model: the whole conversation so far, and the tools that it may call. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  /** The enabled tools, lowered to a provider's dialect; the same input gives the same bytes. */
  toolSchemas(target: SchemaTarget, options?: SchemaOptions): readonly ToolSchema[];
  /**
   * What good calls of a tool look like, by its name: the inputs of its examples, as a model would write them. The prompt's text
   * shows them in any case.
   */
  readonly toolExamples?: ((name: string) => readonly Readonly<Record<string, unknown>>[]) | undefined;
  /** The form that the final answer must have, lowered to a provider's dialect; left out where any text will do. */
  readonly outputSchema?: ((target: SchemaTarget, options?: SchemaOptions) => OutputSchema) | undefined;
  /** Aborts when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
}

/** Why the model stopped. `length`: cut short by the output limit; `refusal`: it declined to answer. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'refusal' | 'other';

/** One answer of a model. */
export interface ModelResponse {
  readonly text: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  readonly usage?: Usage | undefined;
  /** The answer in the provider's own form, where it wants it back with the next request. */
  readonly native?: NativeContent | undefined;
}

/**
 * A part of one answer while it comes. `response` is the last one: the whole answer, texts of the parts before it included.
 * Only then are its calls run, so that nothing half-said is done.
 */
export type ModelPart =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'response'; readonly response: ModelResponse };

/**
 * Port to a model: turns one request into one response, or into a stream of its parts, and nothing else; the loop is ours
 * (docs/contract.md, 16).
 */
export interface ModelAdapter {
  /** Shown in errors and events, e.g. `openai:gpt-5-mini`. */
  readonly name: string;
  /**
   * True when it sends `outputSchema` to its provider. For any other, the system message of a request that wants a form says it
   * in words.
   */
  readonly takesOutputSchema?: boolean | undefined;
  complete(request: ModelRequest): Promise<ModelResponse>;
  /**
   * The same answer in parts, for `app.stream`; without it, the text of an answer comes in one piece. Parts are asked for one
   * at a time, and no further ones once the run has ended: `return()` of the iterator then gives back what it holds.
   */
  stream?(request: ModelRequest): AsyncIterable<ModelPart>;
}
