import type { Awaitable } from '../common/types.js';
import type { CallContext } from './CallContext.js';
import type { ParsedCall } from './ToolPolicy.js';

/**
 * When a call must be approved: always, or when the predicate says so of its params, and of what it finds by the context,
 * which shows session and resources and refuses to change them. One that throws says so.
 */
export type ApprovalRule<P = unknown> = boolean | ((params: P, context: CallContext) => boolean);

/** A final answer: yes, or no with a reason that the model reads. */
export type ApprovalDecision = { readonly kind: 'approved' } | { readonly kind: 'denied'; readonly reason: string };

/** What an approver says of a call; `later` ends the call, and a run with it, until it is continued. */
export type ApprovalAnswer = ApprovalDecision | { readonly kind: 'later' };

/**
 * Port to whoever approves calls: a person, a queue, a rule of the house (docs/contract.md, 10).
 *
 * @example
 * const approver: Approver = {
 *   approve: ({ tool, params }, context) => answers.find(context.call.idempotencyKey) ?? { kind: 'later' },
 * };
 */
export interface Approver {
  /**
   * Asked once the policies allow the call, before its transaction begins. The wait does not count as the tool's time; the
   * deadline, the caller's signal and the turn's limit end it. One that throws denies.
   */
  approve(call: ParsedCall, context: CallContext): Awaitable<ApprovalAnswer>;
}
