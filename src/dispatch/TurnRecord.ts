import type { SessionTransaction } from '../session/SessionTransaction.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';

/** The recorded calls of one turn (docs/contract.md, 16). */
export interface TurnRecord {
  /** The outcome of the call in an earlier process, feedback included; undefined without one. */
  recorded(position: number, call: ToolCall): ToolOutcome | undefined;
  /** How many sections it opened then. */
  opened(position: number): number;
  /** Which of its tool's feedback providers spoke then. */
  spoke(position: number): readonly number[];
  /**
   * Records the outcome of a call; of a successful one before anything of it is committed.
   *
   * @param changes the changes about to be committed; undefined if there are none
   * @throws PromptEvaluationError E709 if it cannot be written: the call then fails, and the run ends
   */
  record(position: number, call: ToolCall, outcome: ToolOutcome, changes: SessionTransaction | undefined): void;
  /**
   * Records what a feedback provider said about a recorded call.
   *
   * @param by the index of the provider among those of the tool
   * @throws PromptEvaluationError E709
   */
  guide(position: number, by: number, text: string): void;
}
