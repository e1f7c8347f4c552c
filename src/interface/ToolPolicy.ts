import type { Awaitable } from '../common/types.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolResult } from '../value/ToolResult.js';
import type { CallContext } from './CallContext.js';
import type { ToolView } from './PromptView.js';

/** A parsed call, as passed to policies, approvers and feedback providers. */
export interface ParsedCall {
  readonly tool: ToolView;
  readonly call: ToolCall;
  /** An instance of the params class, equal to the handler's own; null for a tool without params. */
  readonly params: unknown;
}

/** The decision of a policy; the model reads the reason. */
export type PolicyDecision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/**
 * A rule about when tools may be called, on a tool, a section or a prompt. Fails closed: a policy that throws denies the call
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
  /** The names of tools that it refers to, if any: each must be in the prompt that the policy is declared in. */
  readonly tools?: readonly string[] | undefined;
  /**
   * False for a tool whose calls it never denies: `check` is skipped for those. If `check` applies and the policy also has
   * `onResult`, read-only calls do not run concurrently, so that each is judged by what came before. Applies to all tools by
   * default.
   */
  appliesTo?(tool: ToolView): boolean;
  /** Called before the call's transaction begins; `context` gives read-only access to session and resources. */
  check(call: ParsedCall, context: CallContext): Awaitable<PolicyDecision>;
  /**
   * Receives a successful call within its transaction: its writes to the session are committed or rolled back with the call,
   * also for read-only tools, since the hint binds only their handler. If it throws, the call fails.
   */
  onResult?(call: ParsedCall, result: ToolResult, context: CallContext): Awaitable<void>;
}
