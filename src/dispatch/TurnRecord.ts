import type { ApprovalAnswer } from '../interface/Approver.js';
import type { OutcomeRecord } from '../interface/OutcomeRecord.js';
import type { RunEntry } from '../interface/RunEntry.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import type { ToolCall, UnknownCallPolicy } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';

/** The reply to a question whether a call may run. */
export interface RecordedAnswer {
  readonly question: RunEntry<'question'>;
  readonly answer: ApprovalAnswer;
  /** The digest of the rehearsal that was shown, if the reply names it. */
  readonly seen?: string | undefined;
}

/** The recorded calls of one turn (docs/contract.md, 18). Positions count from 0. */
export interface TurnRecord {
  /**
   * The outcome of the call in an earlier process, feedback included; undefined if it is to be run.
   *
   * @param policy what its tool says about calls that were cut off; the run's when left out
   * @throws PromptEvaluationError E731 if the call began there, and what became of it is a question without a reply
   */
  serveRecorded(
    position: number,
    call: ToolCall,
    policy: UnknownCallPolicy | undefined,
  ): Promise<ToolOutcome | undefined> | undefined;
  /** The indexes of its tool's feedback providers that spoke then. */
  listSpoken(position: number): readonly number[];
  /** The reply to the question whether the call may run, with that question; undefined if there is none. */
  answer(position: number): RecordedAnswer | undefined;
  /**
   * Records that the handler of a call is about to start; undefined if it can be repeated, and nothing is recorded.
   *
   * @throws PromptEvaluationError E709 if it cannot be written: the handler does not start, and the run ends
   */
  begin(position: number, tool: RenderedTool): Promise<void> | undefined;
  /** Applies the changes of other conversations to the session; undefined if there can be none. */
  readonly refresh?: (() => Promise<void>) | undefined;
  /** What resources of the same database join; undefined if outcomes are not recorded in one. */
  recordOf(position: number): OutcomeRecord | undefined;
  /**
   * Records how a call ended, after its changes were committed; what joined its record is committed with it, or rolled back.
   * Undefined if it need not be safe yet.
   *
   * @param spoke the indexes of the tool's feedback providers whose texts are in the outcome
   * @throws PromptEvaluationError E709 if it cannot be written: the run ends
   */
  end(position: number, call: ToolCall, outcome: ToolOutcome, spoke: readonly number[]): Promise<void> | undefined;
  /** Rolls back what joined the record of a call that came to no outcome. */
  drop(position: number): Promise<void>;
}
