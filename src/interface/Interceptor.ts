import type { ProviderFailure } from '../error/ProviderFailure.js';
import type { CallContext, CallInfo, RunMetadata } from './CallContext.js';
import type { ModelRequest, ModelResponse } from './ModelAdapter.js';
import type { PromptView, RenderedView, ToolView } from './PromptView.js';
import type { SessionPort } from './SessionPort.js';
import type { StateChange } from './Transactional.js';
import type { Message } from '../value/Message.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import type { ToolResult } from '../value/ToolResult.js';

/** Continues with the next inner interceptor or the operation itself. Must be called once. */
export type Next<T> = () => Promise<T>;

/** A run, as passed to an interceptor. */
export interface InterceptedRun {
  readonly id: string;
  readonly prompt: PromptView;
  readonly metadata: RunMetadata;
  readonly sessionId: string;
  /** The name of the model adapter with which it began, e.g. `openai:gpt-5-mini`. */
  readonly adapter: string;
  /**
   * The id of the conversation; undefined for a run without one.
   *
   * @internal
   */
  readonly conversation?: string | undefined;
  /**
   * The conversation id in traces. A nested run or call has the id of the run around it. Without a conversation, it is
   * the id of the session.
   *
   * @internal
   */
  readonly thread?: string | undefined;
  /**
   * The rendering that the run began with.
   *
   * @internal
   */
  readonly rendered?: RenderedView | undefined;
  /**
   * The session of the run, outside any transaction.
   *
   * @internal
   */
  readonly session?: SessionPort | undefined;
  /**
   * Returns the messages in the form in which a transcript may keep them: without secret params, and redacted by the
   * hook `redact`.
   */
  recorded(messages: readonly Message[]): readonly Message[];
}

/** One request to the model, as passed to an interceptor. */
export interface InterceptedRequest {
  readonly run: InterceptedRun;
  /** The name of the adapter that gets it: another one than the run's after a fallback. */
  readonly adapter: string;
  /** Why another adapter gets it than the request before; undefined for all other requests. */
  readonly fallback: { readonly from: string; readonly failure: ProviderFailure } | undefined;
  /** 1 for the first request of the run. */
  readonly turn: number;
  readonly request: ModelRequest;
  /**
   * Returns how much of the previous request of its conversation this request repeats. Undefined until it is sent, and
   * for an adapter that does not report its requests.
   */
  prefix(): PrefixMeasure | undefined;
}

/** One tool call from request to outcome, as passed to an interceptor. */
export interface InterceptedToolCall
  extends
    Pick<InterceptedRun, 'metadata' | 'sessionId' | 'thread' | 'session'>,
    Pick<CallInfo, 'caller' | 'parentCallId'> {
  readonly call: ToolCall;
  /** Undefined if the rendering does not offer the tool. */
  readonly tool: ToolView | undefined;
  /** The prompt of the rendering that the call belongs to. */
  readonly prompt: PromptView;
  /** 1 for the first turn of the run. */
  readonly turn: number;
  /**
   * Returns the id of the run that the call belongs to.
   *
   * @internal
   */
  readonly run?: (() => string) | undefined;
  /**
   * Returns the texts of the secret params of the call.
   *
   * @internal
   */
  readonly secrets?: (() => readonly string[]) | undefined;
  /** Returns the call in the form in which a transcript may keep it. */
  recordedCall(): ToolCall;
  /**
   * Returns a text of the call in the form in which an event may hold it: without secret params, and redacted by the
   * hook `redact`.
   */
  recorded(text: string): string;
}

/** One call of a handler, as passed to an interceptor. */
export interface InterceptedInvocation {
  readonly tool: ToolView;
  readonly call: ToolCall;
  readonly context: CallContext;
  /**
   * Returns the changes of resources that the transaction holds so far.
   *
   * @internal
   */
  readonly changes?: () => readonly { readonly name: string; readonly changes: readonly StateChange[] | undefined }[];
}

/** The outcome of one attempt to run a program, as interceptors see it. */
export interface ProgramOutcome {
  /** `completed`, or the reason why the program ended. */
  readonly status: string;
  /** One entry for each tool call. */
  readonly calls: readonly unknown[];
  /** The fault that ended the program, or null. */
  readonly error: { readonly kind: string } | null;
}

/** One attempt to run a program, as passed to an interceptor. `next` returns its `ProgramOutcome`. */
export interface InterceptedProgram extends Pick<InterceptedRun, 'metadata' | 'thread'> {
  /** The code as the model wrote it. */
  readonly code: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The names of the tools that the program may call. */
  readonly tools: readonly string[];
}

/**
 * Wraps runs, requests, calls, handlers and programs, in onion order: the first one listed is outermost. It observes,
 * and denies by throwing; its return value is ignored. `aroundTool` runs inside the transaction of the call: throwing
 * after `next()` rolls the call back. `aroundCall` wraps the whole call, even one that never reaches a handler, and
 * only observes: an error that it throws is logged, and the call proceeds (docs/contract.md, 16).
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

/**
 * Compares a request with the previous request of its conversation: how much is repeated, and where the prefix breaks
 * (docs/contract.md, 17).
 */
export interface PrefixMeasure {
  /** Bytes of the entries repeated from the previous request; 0 for the first request of a conversation. */
  readonly keptBytes: number;
  readonly newBytes: number;
  /** Estimated tokens of the entries repeated from the previous request. */
  readonly keptTokens: number;
  /** Bytes of the entries of the previous request that were changed or left out. Always 0 unless there is a fault. */
  readonly changedBytes: number;
  /** The first changed entry, e.g. `messages[3]`, or undefined. */
  readonly brokenAt: string | undefined;
  /**
   * Other fields of the request that changed and may cost the cache, e.g. `tool_choice`. Limits and sampling of the
   * answer never do.
   */
  readonly changedParameters: readonly string[];
}
