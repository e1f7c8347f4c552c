import type { ApprovalRule } from '../../interface/Approver.js';
import type { CompletionChecker } from '../../interface/CompletionChecker.js';
import type { FeedbackProvider } from '../../interface/FeedbackProvider.js';
import type { ToolPolicy } from '../../interface/ToolPolicy.js';

/**
 * Guardrails for calls and answers: on a tool, on a section for everything below it, on a prompt for everything
 * (docs/contract.md, 10). `P` is the type of the handler's params.
 */
export interface GuardrailOptions<P = never> {
  /** Checked in order, a tool's own first, then its section's, outwards to the prompt's; the first denial counts. */
  readonly policies?: readonly ToolPolicy[] | undefined;
  /** Requires the application's approver to approve the call; one rule of the tool, its sections and its prompt suffices. */
  readonly requiresApproval?: ApprovalRule<P> | undefined;
  /** Add feedback to the text that the model reads of a call. */
  readonly feedback?: readonly FeedbackProvider[] | undefined;
  /** Check the final answer, and may refuse it, while the tool or section is offered. */
  readonly completion?: readonly CompletionChecker[] | undefined;
}
