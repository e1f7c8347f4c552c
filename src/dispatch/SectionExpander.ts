import type { VisibilityExpansionRequired } from '../error/VisibilityExpansionRequired.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { SessionTransaction } from '../session/SessionTransaction.js';
import type { SectionCost } from '../value/SectionCost.js';
import type { ToolResult } from '../value/ToolResult.js';

/** Sections that can be opened, or found tools that can be added: the answer to the model, and the changes to commit first. */
export interface PreparedExpansion {
  readonly kind: 'expanded';
  readonly result: ToolResult;
  /** The paths of the sections. */
  readonly opened: readonly string[];
  readonly costs: readonly SectionCost[];
  readonly changes: SessionTransaction;
  /** The names of the tools that can be called from now on. */
  readonly added: readonly string[];
  /** The rendering after the expansion. */
  readonly rendered: RenderedPrompt;
}

/** The answer to the model for a request that changes nothing. */
export interface RefusedExpansion {
  readonly kind: 'denied' | 'conflicted' | 'failed';
  readonly result: ToolResult;
  /** The estimated tokens; empty if the sections could not be rendered. */
  readonly costs: readonly SectionCost[];
}

/** Answers calls that ask for sections or tools, so that their run continues in the same conversation (docs/contract.md, 12). */
export interface SectionExpander {
  /** Renders with the requested sections open and the requested tools; undefined if the run has all of them. */
  prepare(request: VisibilityExpansionRequired): Promise<PreparedExpansion | RefusedExpansion | undefined>;
  /** Commits an expansion; the run uses its rendering from now on. */
  commit(opening: PreparedExpansion): void;
  /** Counts an expansion that an earlier process made. */
  recall(sections: number): void;
}
