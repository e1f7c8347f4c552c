import type { FeedbackGiven } from '../event/FeedbackGiven.js';
import type { PromptExecuted, PromptRendered, PromptStopped } from '../event/promptEvents.js';
import type { PrefixMeasured } from '../event/PrefixMeasured.js';
import type { PromptDrifted } from '../event/PromptDrifted.js';
import type { SectionsRequested } from '../event/SectionsRequested.js';
import type { ToolInvoked } from '../event/ToolInvoked.js';
import type { FinishReason, ModelAdapter, ToolChoice } from '../interface/ModelAdapter.js';
import type { ToolProgressed } from '../event/ToolProgressed.js';
import type { ToolsRendered } from '../event/ToolsRendered.js';
import type { RunMetadata } from '../interface/CallContext.js';
import type { Budget } from '../limit/Budget.js';
import type { OutputReference } from '../metadata/args/OutputReference.js';
import type { BudgetTracker } from '../limit/BudgetTracker.js';
import type { Deadline } from '../limit/Deadline.js';
import type { Session } from '../session/Session.js';
import type { Message } from '../value/Message.js';
import type { Usage } from '../value/Usage.js';
import type { Conversation } from './conversation/Conversation.js';
import type { HistoryOptions } from './conversation/shortenHistory.js';
import type { UnknownCallPolicy } from '../value/ToolCall.js';
import type { RunDelta, ShownEntry } from '../interface/RunEntry.js';

/** The events of a run. */
export type RunEvent =
  | PromptRendered
  | PromptDrifted
  | PrefixMeasured
  | ToolsRendered
  | ToolProgressed
  | SectionsRequested
  | ToolInvoked
  | FeedbackGiven
  | PromptExecuted
  | PromptStopped;

/** Options of tool calls: state, limits and observers. */
export interface CallOptions {
  /** The state that handlers see and change; a new, empty one when left out. */
  readonly session?: Session | undefined;
  /** When the call or the run has to have ended. */
  readonly deadline?: Deadline | undefined;
  /** What may be spent; a `BudgetTracker` shares one budget between several runs. */
  readonly budget?: Budget | BudgetTracker | undefined;
  /** Aborting it ends the run: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Ids of the host, such as request, trace and tenant; part of every event. */
  readonly runMetadata?: RunMetadata | undefined;
  /** Is called with each event of this run; the event bus gets them as well. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/** Options of `app.evaluate` and `app.stream`. `O` is the output that the answer is parsed into. */
export interface EvaluateOptions<
  O extends OutputReference | undefined = OutputReference | undefined,
> extends CallOptions {
  /** The model. */
  readonly adapter: ModelAdapter;
  /** The output of the final answer, in place of the prompt's own: a class, or `{ array: X }`. */
  readonly output?: O | undefined;
  /**
   * The tag of the overrides that the prompt is rendered with, also after sections were opened; `latest` when left out. A prompt
   * that is rendered already keeps its own.
   */
  readonly overridesTag?: string | undefined;
  /** What is sent after the system message, or after everything that the conversation holds. */
  readonly messages?: readonly Message[] | undefined;
  /**
   * The conversation that the run appends to. Without messages, a run that has not ended goes on: no recorded request or call is
   * repeated. Without a conversation, nothing is kept of the run but its response.
   */
  readonly conversation?: Conversation | undefined;
  /**
   * The id of the run, such as that of the request to your service: the same id again goes on with the same run, and never
   * begins another. A new one when left out.
   */
  readonly runId?: string | undefined;
  /**
   * What happens to a call that began in a process that ended, and that cannot be repeated safely (neither `readOnly`, nor
   * `idempotent`, nor `openWorld: false`). `fail` (by default): the model reads that its effect is not known. `repeat`: it runs
   * again, under the same idempotency key. `ask`: the run waits for `conversation.reply`.
   */
  readonly onUnknown?: UnknownCallPolicy | undefined;
  /**
   * For `app.stream`: leaves out the events up to this `seq`, which a client has already, when it reads a run of the conversation
   * again.
   */
  readonly after?: number | undefined;
  /**
   * Keeps the requests of a conversation within a number of tokens: before one that would be larger, earlier messages are
   * summarised, and the conversation goes on with the summary, in a new segment. Its session and its opened sections stay.
   */
  readonly history?: HistoryOptions | undefined;
  /** Which tools the model may or must call, in all turns or by turn; left to the model when left out. */
  readonly toolChoice?: ToolChoice | ((turn: number) => ToolChoice | undefined) | undefined;
  /** False if the model may make one call an answer; left to the provider when left out. */
  readonly parallelToolCalls?: boolean | undefined;
  /** Texts at which the model stops. */
  readonly stopSequences?: readonly string[] | undefined;
  /** The temperature of sampling, as the provider takes it. */
  readonly temperature?: number | undefined;
  /**
   * Handling of the model's requests for summarised sections. `apply` (by default): they are opened for the session, and the
   * run continues in the same conversation. `throw`: the run ends with `VisibilityExpansionRequired`, for callers with a loop
   * of their own.
   */
  readonly expansions?: 'apply' | 'throw' | undefined;
  /** The most requests to the model; 100 when left out. */
  readonly maxTurns?: number | undefined;
  /** The number of times that completion checkers may refuse the final answer before it is accepted; 3 when left out. */
  readonly maxRefusedAnswers?: number | undefined;
}

/** The result of a run. `T` is the type of its parsed answer. */
export interface PromptResponse<T = unknown> {
  readonly text: string | null;
  /** The parsed answer; undefined when neither the prompt nor the run declares an output. */
  readonly output: T;
  readonly finishReason: FinishReason;
  /** The usage of all requests of the run, without those of runs that its handlers made; undefined if none was reported. */
  readonly usage: Usage | undefined;
  /** The usage of each request, in their order. Providers count the whole conversation in each. */
  readonly requests: readonly (Usage | undefined)[];
  /** In the currency of `prices`; undefined without a price for the model, or if a request did not report its tokens. */
  readonly cost: number | undefined;
  /** The number of requests to the model. */
  readonly turns: number;
  /** False if a completion checker refuses the answer, and it was accepted because no further request was allowed. */
  readonly complete: boolean;
  /** The whole conversation, including the system message and the answer. */
  readonly transcript: readonly Message[];
}

/** An event of a run that goes on. */
export type StreamStep = RunDelta | ShownEntry<'answer' | 'outcome' | 'note'>;

/**
 * An event of `app.stream`: an entry of the run, a part of an entry to come, or as the last one the response that `app.evaluate` would
 * have returned. `T` is the type of its parsed answer.
 */
export type StreamEvent<T = unknown> = StreamStep | { readonly kind: 'done'; readonly response: PromptResponse<T> };

/** Emits an event, and resolves when the run may continue; rejects with the reason why it may not. */
export type EmitStep = (event: StreamStep) => Promise<void>;
