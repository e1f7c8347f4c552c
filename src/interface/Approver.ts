import type { Awaitable } from '../common/types.js';
import type { CallContext } from './CallContext.js';
import type { ParsedCall } from './ToolPolicy.js';

/**
 * The condition under which a call needs approval: always, or if the predicate returns true for its params and context, which
 * gives read-only access to session and resources. A predicate that throws, rejects, or takes longer than `limits.policyMs`
 * requires approval.
 */
export type ApprovalRule<P = unknown> = boolean | ((params: P, context: CallContext) => Awaitable<boolean>);

/** A final answer: yes, or no with a reason that the model reads. */
export type ApprovalDecision = { readonly kind: 'approved' } | { readonly kind: 'denied'; readonly reason: string };

/** The answer of an approver; `later` ends the call, and its run, until it is continued. */
export type ApprovalAnswer = ApprovalDecision | { readonly kind: 'later' };

/**
 * Port to the approval of calls: by a person, a queue, a business rule (docs/contract.md, 10).
 *
 * @example
 * const approver: Approver = {
 *   approve: ({ tool, params }, context) => answers.find(context.call.idempotencyKey) ?? { kind: 'later' },
 * };
 */
export interface Approver {
  /**
   * Called once the policies allow the call, before its transaction begins. The wait does not count towards the tool's timeout;
   * the deadline, the caller's signal and the turn's limit end it. An approver that throws denies the call.
   */
  approve(call: ParsedCall, context: CallContext): Awaitable<ApprovalAnswer>;
}
