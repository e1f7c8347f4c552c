import type { Awaitable } from '../common/types.js';
import type { CallContext } from './CallContext.js';
import type { ParsedCall } from './ToolPolicy.js';

/**
 * Says when a call needs approval: always, never, or if the predicate returns true for its params and context. The
 * context gives read-only access to session and resources. A predicate that throws, rejects, or takes longer than
 * `limits.policyMs` requires approval.
 */
export type ApprovalRule<P = unknown> = boolean | ((params: P, context: CallContext) => Awaitable<boolean>);

/** A final answer: yes, or no with a reason that the model reads. */
export type ApprovalDecision = { readonly kind: 'approved' } | { readonly kind: 'denied'; readonly reason: string };

/** The answer of an approver. `later` ends the call and its run until they are continued. */
export type ApprovalAnswer = ApprovalDecision | { readonly kind: 'later' };

/**
 * Port to the approval of calls by a person, a queue or a business rule (docs/contract.md, 10).
 *
 * @example
 * const approver: Approver = {
 *   approve: ({ tool, params }, context) => answers.find(context.call.idempotencyKey) ?? { kind: 'later' },
 * };
 */
export interface Approver {
  /**
   * Decides about a call after the policies have allowed it, and before its transaction begins. The wait does not count
   * towards the timeout of the tool; the deadline, the caller's signal and the time limit of the turn end it. If the
   * approver throws, the call is denied.
   */
  approve(call: ParsedCall, context: CallContext): Awaitable<ApprovalAnswer>;
}
