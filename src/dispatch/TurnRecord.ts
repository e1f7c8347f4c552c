import type { SessionTransaction } from '../session/SessionTransaction.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';

/** What was written down of the calls of one turn, and where more is written (docs/contract.md, 16). */
export interface TurnRecord {
  /** How the call ended in an earlier process, guidance included; undefined when it has not. */
  recorded(position: number, call: ToolCall): ToolOutcome | undefined;
  /** How many sections it opened then. */
  opened(position: number): number;
  /** Which of its tool's feedback providers spoke then. */
  spoke(position: number): readonly number[];
  /**
   * Writes down how a call ended. A successful one is written down before anything of it is committed.
   *
   * @param changes what is about to be committed; undefined when nothing is
   * @throws PromptEvaluationError E709 when it cannot be written: the call then fails, and the run ends
   */
  record(position: number, call: ToolCall, outcome: ToolOutcome, changes: SessionTransaction | undefined): void;
  /**
   * Writes down what a feedback provider said of a call that was written down.
   *
   * @param by which of the tool's providers, from 0
   * @throws PromptEvaluationError E709
   */
  guide(position: number, by: number, text: string): void;
}
