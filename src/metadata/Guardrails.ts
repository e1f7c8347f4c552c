import type { ApprovalRule } from '../interface/Approver.js';
import type { CompletionChecker } from '../interface/CompletionChecker.js';
import type { FeedbackProvider } from '../interface/FeedbackProvider.js';
import type { ToolPolicy } from '../interface/ToolPolicy.js';

/** What watches over the calls of a tool: its own, then its sections', outwards to its prompt's. Frozen. */
export interface Guardrails {
  readonly policies: readonly ToolPolicy[];
  /** Any of them demands an approval; empty when none can. */
  readonly approvals: readonly Exclude<ApprovalRule<never>, false>[];
  readonly feedback: readonly FeedbackProvider[];
}

/** What may refuse a final answer, as it was declared in one place. Frozen. */
export type Completion = readonly CompletionChecker[];
