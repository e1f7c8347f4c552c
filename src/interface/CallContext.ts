import type { Logger } from './Logger.js';
import type { PromptView, RenderedView } from './PromptView.js';
import type { ResourceScope } from './ResourceBinding.js';
import type { SessionPort } from './SessionPort.js';

/** Which call a handler serves. */
export interface CallInfo {
  readonly id: string;
  readonly name: string;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Whether the model called the tool itself, or a program did. */
  readonly caller: 'direct' | 'program';
  /**
   * The same for the same call of the same run, also when the run is continued in another process: for services that take
   * such a key to refuse a repetition.
   */
  readonly idempotencyKey: string;
}

/** What ports know of a tool call; `ToolContext` is the class that handlers name. */
export interface CallContext {
  readonly prompt: PromptView;
  readonly renderedPrompt: RenderedView | null;
  /** The call's own transaction over the session. */
  readonly session: SessionPort;
  readonly resources: ResourceScope;
  /** Aborted by the deadline, the tool's timeout, the caller, or a rollback. */
  readonly signal: AbortSignal;
  readonly call: CallInfo;
  readonly logger: Logger;
  /** Milliseconds since the epoch, by the application's clock. */
  now(): number;
  newId(): string;
}
