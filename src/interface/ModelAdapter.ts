import type { JsonSchema } from '../common/types.js';
import type { Message } from '../value/Message.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { Usage } from '../value/Usage.js';

/** The dialect of JSON Schema that a provider takes; `json-schema` is draft 2020-12 as it is. */
export type SchemaTarget = 'json-schema' | 'openai';

/** How schemas are written for a target. */
export interface SchemaOptions {
  /** Structured-output mode of the provider: every property required, optional ones nullable, few keywords. */
  readonly strict?: boolean | undefined;
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

/** One request to a model: the whole conversation so far, and the tools that it may call. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  /** The enabled tools, lowered to a provider's dialect; the same input gives the same bytes. */
  toolSchemas(target: SchemaTarget, options?: SchemaOptions): readonly ToolSchema[];
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
}

/** Port to a model: turns one request into one response, and nothing else; the loop is ours (runtime contract, 16). */
export interface ModelAdapter {
  /** Shown in errors and events, e.g. `openai:gpt-5-mini`. */
  readonly name: string;
  complete(request: ModelRequest): Promise<ModelResponse>;
}
