import type { VisibilityExpansionRequired } from '../error/VisibilityExpansionRequired.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { SessionTransaction } from '../session/SessionTransaction.js';
import type { SectionCost } from '../value/SectionCost.js';
import type { ToolResult } from '../value/ToolResult.js';

/** Sections that can be opened: what the model is told, and what is to be committed first. */
export interface PreparedExpansion {
  readonly kind: 'expanded';
  readonly result: ToolResult;
  /** How many are opened. */
  readonly sections: number;
  readonly costs: readonly SectionCost[];
  readonly changes: SessionTransaction;
  /** The prompt as it is afterwards. */
  readonly rendered: RenderedPrompt;
}

/** Sections that stay closed, and what the model is told of it. */
export interface RefusedExpansion {
  readonly kind: 'denied' | 'conflicted' | 'failed';
  readonly result: ToolResult;
  /** What they would have cost; none where they could not be rendered. */
  readonly costs: readonly SectionCost[];
}

/** Answers calls that ask for sections, so that their run goes on in the same conversation (docs/contract.md, 12). */
export interface SectionExpander {
  /** Renders anew what was asked for; undefined when nothing of it is the run's to open. */
  prepare(request: VisibilityExpansionRequired): Promise<PreparedExpansion | RefusedExpansion | undefined>;
  /** Commits an opening: from now on the run has another rendering. */
  commit(opening: PreparedExpansion): void;
  /** Counts an opening that happened in an earlier process. */
  recall(sections: number): void;
}
