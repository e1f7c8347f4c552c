import type { RunContext } from './RunContext.js';
import type { CallContext } from './CallContext.js';
import type { ModelRequest, ModelResponse } from './ModelAdapter.js';
import type { PromptView, ToolView } from './PromptView.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolResult } from '../value/ToolResult.js';

/** Goes on inwards; called once. */
export type Next<T> = () => Promise<T>;

/** A run as an interceptor sees it. */
export interface InterceptedRun {
  readonly id: string;
  readonly prompt: PromptView;
  readonly context: RunContext;
}

/** One request to the model, as an interceptor sees it. */
export interface InterceptedRequest {
  readonly run: InterceptedRun;
  /** 1 for the first request of the run. */
  readonly turn: number;
  readonly request: ModelRequest;
}

/** One call of a handler, as an interceptor sees it. */
export interface InterceptedCall {
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
  readonly context: RunContext;
}

/**
 * Stands around runs, requests, handlers and programs, in onion order: the first one listed is outermost. It observes, and denies by
 * throwing; what it returns changes nothing. `aroundTool` runs inside the call's transaction, so that throwing after
 * `next()` rolls the call back (runtime contract, 16).
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
  aroundTool?(call: InterceptedCall, next: Next<ToolResult>): Promise<unknown>;
  aroundProgram?(program: InterceptedProgram, next: Next<unknown>): Promise<unknown>;
}
