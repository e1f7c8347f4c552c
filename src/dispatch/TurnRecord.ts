import type { ApprovalAnswer } from '../interface/Approver.js';
import type { OutcomeRecord } from '../interface/OutcomeRecord.js';
import type { QuestionReply, RunEntry } from '../interface/RunEntry.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import type { ToolCall, UnknownCallPolicy } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';

/** The reply to a question about whether a call may run. */
export interface RecordedAnswer {
  readonly question: RunEntry<'question'>;
  readonly answer: ApprovalAnswer;
  /** The digest of the rehearsal that was shown, if the reply names one. */
  readonly seen?: string | undefined;
  /** The arguments that the person approved in place of the model's. */
  readonly edited?: Extract<QuestionReply, { readonly kind: 'approved' }>['arguments'];
}

/** The recorded calls of one turn (docs/contract.md, 18). Positions count from 0. */
export interface TurnRecord {
  /**
   * Returns the outcome that the call had in an earlier process, feedback included; undefined if the call must run.
   *
   * @param policy how its tool treats calls that were cut off; the run's policy when undefined
   * @throws PromptEvaluationError E731 if the call began in an earlier process, and the question how it ended has no reply
   */
  serveRecorded(
    position: number,
    call: ToolCall,
    policy: UnknownCallPolicy | undefined,
  ): Promise<ToolOutcome | undefined> | undefined;
  /** Returns the indexes of the tool's feedback providers that gave feedback in that process. */
  listSpoken(position: number): readonly number[];
  /** Returns the reply to the question whether the call may run, with the question; undefined without a reply. */
  answer(position: number): RecordedAnswer | undefined;
  /**
   * Records that the handler of a call is about to start. Returns undefined, and records nothing, if the call can be repeated.
   *
   * @throws PromptEvaluationError E709 if the record cannot be written: the handler does not start, and the run ends
   */
  begin(position: number, tool: RenderedTool): Promise<void> | undefined;
  /** Applies the changes of other conversations to the session; undefined if no other conversation can change it. */
  readonly refresh?: (() => Promise<void>) | undefined;
  /** Returns the record that resources of the same database join; undefined if outcomes are not recorded in a database. */
  recordOf(position: number): OutcomeRecord | undefined;
  /**
   * Records how a call ended, after its changes were committed; changes that joined its record are committed with it, or rolled
   * back. Returns undefined if the record need not be durable yet.
   *
   * @param spoke the indexes of the tool's feedback providers that added text to the outcome
   * @throws PromptEvaluationError E709 if the record cannot be written: the run ends
   */
  end(position: number, call: ToolCall, outcome: ToolOutcome, spoke: readonly number[]): Promise<void> | undefined;
  /** Rolls back the changes that joined the record of a call without an outcome. */
  drop(position: number): Promise<void>;
}
