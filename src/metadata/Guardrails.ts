import type { ApprovalRule } from '../interface/Approver.js';
import type { CompletionChecker } from '../interface/CompletionChecker.js';
import type { FeedbackProvider } from '../interface/FeedbackProvider.js';
import type { ToolPolicy } from '../interface/ToolPolicy.js';

/** The guardrails for the calls of a tool: its own, then its sections', outwards to its prompt's. Frozen. */
export interface Guardrails {
  readonly policies: readonly ToolPolicy[];
  /** Any of them can require an approval; empty if none does. */
  readonly approvals: readonly Exclude<ApprovalRule<never>, false>[];
  readonly feedback: readonly FeedbackProvider[];
}

/** The completion checkers declared in one place. Frozen. */
export type Completion = readonly CompletionChecker[];
