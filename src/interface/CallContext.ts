import type { ToolCaller } from '../value/ToolCaller.js';
import type { RenderedView } from './PromptView.js';
import type { RunMetadata } from './RunMetadata.js';
import type { RunScope } from './RunScope.js';

/** Which call a handler serves. */
export interface CallInfo {
  readonly id: string;
  readonly name: string;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Whether the model called the tool itself, or a program did. */
  readonly caller: ToolCaller;
  /** The id of the call in which this one is made, by its program or handler; undefined for a call of the model. */
  readonly parentCallId: string | undefined;
  /**
   * The same for the same call of the same run, also when the run is continued in another process: for services that take
   * such a key to refuse a repetition.
   */
  readonly idempotencyKey: string;
}

/** What ports know of a tool call; `ToolContext` is the class that handlers name. */
export interface CallContext extends RunScope {
  readonly renderedPrompt: RenderedView | null;
  /** Which call it is. `session` and `resources` are its own transaction, `signal` is aborted by the deadline, the tool's
   * timeout, the caller, or a rollback. */
  readonly call: CallInfo;
  /** The host's ids of the run. */
  readonly runMetadata: RunMetadata;
}
