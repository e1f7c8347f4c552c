import type { ApprovalRule } from '../../interface/Approver.js';
import type { CompletionChecker } from '../../interface/CompletionChecker.js';
import type { FeedbackProvider } from '../../interface/FeedbackProvider.js';
import type { ToolPolicy } from '../../interface/ToolPolicy.js';

/**
 * What watches over calls and answers: on a tool, on a section for everything below it, on a prompt for everything
 * (docs/contract.md, 10). `P` is what the handler gets.
 */
export interface GuardrailOptions<P = never> {
  /** Asked in order, a tool's own first, then its section's, outwards to the prompt's; the first denial counts. */
  readonly policies?: readonly ToolPolicy[] | undefined;
  /** Has the application's approver asked before the call; of a tool, its sections and its prompt, one demand is enough. */
  readonly requiresApproval?: ApprovalRule<P> | undefined;
  /** Adds guidance to what the model reads of a call. */
  readonly feedback?: readonly FeedbackProvider[] | undefined;
  /** May refuse the final answer while the tool or section is offered. */
  readonly completion?: readonly CompletionChecker[] | undefined;
}
