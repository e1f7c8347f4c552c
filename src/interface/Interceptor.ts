import type { RunMetadata, CallContext } from './CallContext.js';
import type { ModelRequest, ModelResponse } from './ModelAdapter.js';
import type { PromptView, RenderedView, ToolView } from './PromptView.js';
import type { SessionPort } from './SessionPort.js';
import type { StateChange } from './Transactional.js';
import type { Message } from '../value/Message.js';
import type { ToolCall, ToolCaller } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import type { ToolResult } from '../value/ToolResult.js';

/** Continues with the next inner interceptor or the operation itself; called once. */
export type Next<T> = () => Promise<T>;

/** A run, as passed to an interceptor. */
export interface InterceptedRun {
  readonly id: string;
  readonly prompt: PromptView;
  readonly metadata: RunMetadata;
  readonly sessionId: string;
  /** The name of its model adapter, e.g. `openai:gpt-5-mini`. */
  readonly adapter: string;
  /**
   * The id of its conversation; undefined for a run that belongs to none.
   *
   * @internal
   */
  readonly conversation?: string | undefined;
  /**
   * The conversation id in traces. A nested run or call has the one of the run around it; without a conversation, it is the id of the
   * session.
   *
   * @internal
   */
  readonly thread?: string | undefined;
  /**
   * The rendering that it began with.
   *
   * @internal
   */
  readonly rendered?: RenderedView | undefined;
  /**
   * Its session, outside of any transaction.
   *
   * @internal
   */
  readonly session?: SessionPort | undefined;
  /** The messages as a transcript may keep them: without secret params, and without what the hook `redact` removes. */
  recorded(messages: readonly Message[]): readonly Message[];
}

/** One request to the model, as passed to an interceptor. */
export interface InterceptedRequest {
  readonly run: InterceptedRun;
  /** 1 for the first request of the run. */
  readonly turn: number;
  readonly request: ModelRequest;
  /**
   * What it repeats of the request before it in its conversation. Undefined until it is sent, and for an adapter that does not
   * say what it sends.
   */
  prefix(): PrefixMeasure | undefined;
}

/** One tool call from request to outcome, as passed to an interceptor. */
export interface InterceptedToolCall {
  readonly call: ToolCall;
  /** Undefined if the rendering offers no such tool. */
  readonly tool: ToolView | undefined;
  /** The prompt of the rendering that the call belongs to. */
  readonly prompt: PromptView;
  readonly caller: ToolCaller;
  /** The id of the call whose program or handler makes this one; undefined for a call of the model. */
  readonly parentCallId: string | undefined;
  /** 1 for the first turn of the run. */
  readonly turn: number;
  readonly sessionId: string;
  readonly metadata: RunMetadata;
  /**
   * The conversation id in traces. A nested run or call has the one of the run around it; without a conversation, it is the id of the
   * session.
   *
   * @internal
   */
  readonly thread?: string | undefined;
  /**
   * The id of the run that it belongs to.
   *
   * @internal
   */
  readonly run?: (() => string) | undefined;
  /**
   * The session of its run, outside of any transaction.
   *
   * @internal
   */
  readonly session?: SessionPort | undefined;
  /**
   * The texts of its secret params.
   *
   * @internal
   */
  readonly secrets?: (() => readonly string[]) | undefined;
  /** The call as a transcript may keep it. */
  recordedCall(): ToolCall;
  /** A text of the call as an event may hold it: without its secret params, and without what the hook `redact` removes. */
  recorded(text: string): string;
}

/** One call of a handler, as passed to an interceptor. */
export interface InterceptedInvocation {
  readonly tool: ToolView;
  readonly call: ToolCall;
  readonly context: CallContext;
  /**
   * What its transaction would change of resources by now.
   *
   * @internal
   */
  readonly changes?: () => readonly { readonly name: string; readonly changes: readonly StateChange[] | undefined }[];
}

/** The outcome of one attempt to run a program, as interceptors see it. */
export interface ProgramOutcome {
  /** `completed`, or the reason why it ended. */
  readonly status: string;
  /** One entry for each tool call. */
  readonly calls: readonly unknown[];
  /** The fault that ended it; null without one. */
  readonly error: { readonly kind: string } | null;
}

/** One attempt to run a program, as passed to an interceptor; `next` returns its `ProgramOutcome`. */
export interface InterceptedProgram {
  /** As the model wrote it. */
  readonly code: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** The names of the tools that it may call. */
  readonly tools: readonly string[];
  readonly metadata: RunMetadata;
  /**
   * The conversation id in traces. A nested run or call has the one of the run around it; without a conversation, it is the id of the
   * session.
   *
   * @internal
   */
  readonly thread?: string | undefined;
}

/**
 * Wraps runs, requests, calls, handlers and programs, in onion order: the first one listed is outermost. It observes, and denies
 * by throwing; its return value is ignored. `aroundTool` runs inside the call's transaction, so that throwing after `next()`
 * rolls the call back. `aroundCall` wraps the whole call, even one that never reaches a handler, and only observes: an error
 * that it throws is logged, and the call proceeds (docs/contract.md, 16).
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

/** What a request repeats of the one before it in its conversation, and what broke it (docs/contract.md, 17). */
export interface PrefixMeasure {
  /** Bytes of the entries that are as in the request before; 0 for the first of a conversation. */
  readonly keptBytes: number;
  readonly newBytes: number;
  /** Estimated tokens of the entries that are as in the request before. */
  readonly keptTokens: number;
  /** Bytes of the entries of the request before that were changed or left out: 0, unless something is wrong. */
  readonly changedBytes: number;
  /** The first of them, e.g. `messages[3]`; undefined if there is none. */
  readonly brokenAt: string | undefined;
  /** Other fields of the request that changed and may cost the cache, e.g. `tool_choice`; limits and samplings of the answer never do. */
  readonly changedParameters: readonly string[];
}
