import type { ToolCaller } from '../value/ToolCall.js';
import type { RenderedView } from './PromptView.js';
import type { RunScope } from './RunScope.js';

/** Identifies the call that a handler serves. */
export interface CallInfo {
  readonly id: string;
  readonly name: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** `direct` if the model itself called the tool, `program` if a program did. */
  readonly caller: ToolCaller;
  /** The id of the call whose program or handler makes this one; undefined for a call of the model. */
  readonly parentCallId: string | undefined;
  /**
   * The same for the same call of the same run, also when the run is continued in another process: for services that accept
   * such a key to reject repeated requests.
   */
  readonly idempotencyKey: string;
}

/** The context of a tool call, as exposed to ports; `ToolContext` is the class used in handler signatures. */
export interface CallContext extends RunScope {
  readonly renderedPrompt: RenderedView | null;
  /**
   * Identifies the call. `session` and `resources` belong to its transaction; `signal` is aborted by the deadline, the tool's
   * timeout, the caller, or a rollback.
   */
  readonly call: CallInfo;
  /** The host's ids of the run. */
  readonly runMetadata: RunMetadata;
}

/**
 * Ids by which a host identifies a run: request, trace, tenant. Included in every event of the run. Three keys have a meaning:
 * `principal`, for whom the run acts, `tenant`, whose data it is, and `conversation`. A call that waits for its approval is continued
 * only in a run with the same three (docs/contract.md, 10).
 */
export type RunMetadata = Readonly<Record<string, string>>;
