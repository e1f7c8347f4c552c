import type { Awaitable } from '../common/types.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolResult } from '../value/ToolResult.js';
import type { CallContext } from './CallContext.js';
import type { ToolView } from './PromptView.js';

/** A call as policies, approvers and feedback providers see it. */
export interface ParsedCall {
  readonly tool: ToolView;
  readonly call: ToolCall;
  /** An instance of the params class, equal to the handler's own; null for a tool without params. */
  readonly params: unknown;
}

/** Whether a call may run; the model reads the reason. */
export type PolicyDecision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/**
 * A rule about when tools may be called, on a tool, a section or a prompt. Fails closed: one that throws denies
 * (docs/contract.md, 10).
 *
 * @example
 * const officeHours: ToolPolicy = {
 *   name: 'office_hours',
 *   check: (_call, context) => (isOpen(context.now()) ? allow : deny('The desk is closed until 8:00; ask again then.')),
 * };
 */
export interface ToolPolicy {
  /** For messages and logs. */
  readonly name: string;
  /** The names of tools that it speaks of, where it names any: each must be in the prompt that the policy is declared in. */
  readonly tools?: readonly string[] | undefined;
  /**
   * False for a tool of which it denies no call: it is not asked about those. Where it is asked and has `onResult` as well,
   * read-only calls do not run together, so that each one is judged by what came before. All tools when left out.
   */
  appliesTo?(tool: ToolView): boolean;
  /** Asked before the call's transaction begins: `context` shows session and resources, and refuses to change them. */
  check(call: ParsedCall, context: CallContext): Awaitable<PolicyDecision>;
  /**
   * Hears of a successful call within its transaction: what it writes into the session commits, or not, with the call. This
   * holds for read-only tools as well, whose promise is their handler's alone. One that throws makes the call fail.
   */
  onResult?(call: ParsedCall, result: ToolResult, context: CallContext): Awaitable<void>;
}
