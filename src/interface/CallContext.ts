import type { ToolCaller } from '../value/ToolCall.js';
import type { RenderedView } from './PromptView.js';
import type { RunScope } from './RunScope.js';

/** Identifies the call that a handler serves. */
export interface CallInfo {
  readonly id: string;
  readonly name: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** `direct` if the model called the tool, `program` if a program did. */
  readonly caller: ToolCaller;
  /** The id of the parent call: the call of the program or handler that made this one. Undefined for a call of the model. */
  readonly parentCallId: string | undefined;
  /**
   * The same for the same call of the same run, also if another process continues the run. Pass it to services that
   * accept such a key, so that they reject repeated requests.
   */
  readonly idempotencyKey: string;
}

/** The context of a tool call, as ports see it. Signatures of handlers use the class `ToolContext`. */
export interface CallContext extends RunScope {
  readonly renderedPrompt: RenderedView | null;
  /**
   * Identifies the call. `session` and `resources` belong to its transaction; `signal` is aborted by the deadline, the tool's
   * timeout, the caller, or a rollback.
   */
  readonly call: CallInfo;
  /** The ids of the run, set by the host. */
  readonly runMetadata: RunMetadata;
}

/**
 * Ids by which a host identifies a run: request, trace, tenant. Every event of the run includes them. Four keys have a
 * meaning: `principal` is the user for whom the run acts, `tenant` owns the data, `conversation` names the conversation,
 * and `scopes` lists what the user has granted, for `ScopePolicy`. A call that waits for its approval is continued only
 * in a run with the same first three (docs/contract.md, 10).
 */
export type RunMetadata = Readonly<Record<string, string>>;
