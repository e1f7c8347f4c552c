import type { Awaitable } from '../common/types.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolResult } from '../value/ToolResult.js';
import type { CallContext } from './CallContext.js';
import type { ToolView } from './PromptView.js';

/** A parsed call, as passed to policies, approvers and feedback providers. */
export interface ParsedCall {
  readonly tool: ToolView;
  readonly call: ToolCall;
  /** An instance of the params class, equal to the one that the handler gets; null for a tool without params. */
  readonly params: unknown;
}

/** The decision of a policy. The model reads the reason. */
export type PolicyDecision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/**
 * Decides whether a tool may be called. Declared on a tool, a section or a prompt. Fails closed: a policy that throws
 * denies the call (docs/contract.md, 10).
 *
 * @example
 * const officeHours: ToolPolicy = {
 *   name: 'office_hours',
 *   check: (_call, context) => (isOpen(context.now()) ? allow : deny('The desk is closed until 8:00; ask again then.')),
 * };
 */
export interface ToolPolicy {
  /** Name for messages and logs. */
  readonly name: string;
  /** The names of tools that the policy refers to. Each must be in the prompt that declares the policy. */
  readonly tools?: readonly string[] | undefined;
  /**
   * Returns false for a tool that the policy never denies: its calls skip `check`. If `check` applies and the policy
   * also has `onResult`, read-only calls do not run concurrently, so that each is judged by the calls before it.
   * Applies to all tools by default.
   */
  appliesTo?(tool: ToolView): boolean;
  /** Decides about a call before its transaction begins. `context` gives read-only access to session and resources. */
  check(call: ParsedCall, context: CallContext): Awaitable<PolicyDecision>;
  /**
   * Receives a successful call within its transaction. Its writes to the session are committed or rolled back with the
   * call, also for read-only tools, because the hint binds only the handler. If it throws, the call fails.
   */
  onResult?(call: ParsedCall, result: ToolResult, context: CallContext): Awaitable<void>;
}
