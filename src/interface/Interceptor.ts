import type { RunMetadata } from './RunMetadata.js';
import type { CallContext } from './CallContext.js';
import type { ModelRequest, ModelResponse } from './ModelAdapter.js';
import type { PromptView, ToolView } from './PromptView.js';
import type { Message } from '../value/Message.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolCaller } from '../value/ToolCaller.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import type { ToolResult } from '../value/ToolResult.js';

/** Goes on inwards; called once. */
export type Next<T> = () => Promise<T>;

/** A run as an interceptor sees it. */
export interface InterceptedRun {
  readonly id: string;
  readonly prompt: PromptView;
  readonly metadata: RunMetadata;
  readonly sessionId: string;
  /** The name of the adapter that it asks, e.g. `openai:gpt-5-mini`. */
  readonly adapter: string;
  /** Messages as a transcript may keep them: without secret params, and without what the hook `redact` takes out. */
  recorded(messages: readonly Message[]): readonly Message[];
}

/** One request to the model, as an interceptor sees it. */
export interface InterceptedRequest {
  readonly run: InterceptedRun;
  /** 1 for the first request of the run. */
  readonly turn: number;
  readonly request: ModelRequest;
}

/** One tool call from its arrival to its outcome, as an interceptor sees it. */
export interface InterceptedToolCall {
  readonly call: ToolCall;
  /** Undefined when the rendering offers no such tool. */
  readonly tool: ToolView | undefined;
  /** The prompt of the rendering that the call belongs to. */
  readonly prompt: PromptView;
  readonly caller: ToolCaller;
  /** The call in which it is made, by a program or a handler; undefined for a call of the model. */
  readonly parentCallId: string | undefined;
  /** 1 for the first turn of the run. */
  readonly turn: number;
  readonly sessionId: string;
  readonly metadata: RunMetadata;
  /** The call as a transcript may keep it. */
  recordedCall(): ToolCall;
  /** A text of the call as an event may hold it: without its secret params, and without what the hook `redact` takes out. */
  recorded(text: string): string;
}

/** One call of a handler, as an interceptor sees it. */
export interface InterceptedInvocation {
  readonly tool: ToolView;
  readonly call: ToolCall;
  readonly context: CallContext;
}

/** One attempt at a program, as an interceptor sees it; what `next` gives is its `ProgramEnd`. */
export interface InterceptedProgram {
  /** As the model wrote it. */
  readonly code: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** The names of the tools that it may call. */
  readonly tools: readonly string[];
  readonly metadata: RunMetadata;
}

/**
 * Stands around runs, requests, calls, handlers and programs, in onion order: the first one listed is outermost. It observes, and
 * denies by throwing; what it returns changes nothing. `aroundTool` runs inside the call's transaction, so that throwing after
 * `next()` rolls the call back. `aroundCall` stands around the whole call, also one that never reaches a handler, and only
 * observes: what it throws is logged, and the call is made all the same (docs/contract.md, 16).
 *
 * @example
 * const timing: Interceptor = {
 *   async aroundTool({ tool }, next) {
 *     const start = performance.now();
 *     await next().finally(() => record(tool.name, performance.now() - start));
 *   },
 * };
 */
export interface Interceptor {
  aroundRun?(run: InterceptedRun, next: Next<unknown>): Promise<unknown>;
  aroundModel?(request: InterceptedRequest, next: Next<ModelResponse>): Promise<unknown>;
  aroundCall?(incoming: InterceptedToolCall, next: Next<ToolOutcome>): Promise<unknown>;
  aroundTool?(call: InterceptedInvocation, next: Next<ToolResult>): Promise<unknown>;
  aroundProgram?(program: InterceptedProgram, next: Next<unknown>): Promise<unknown>;
}
