import type { FeedbackGiven } from '../event/FeedbackGiven.js';
import type { PromptExecuted, PromptRendered } from '../event/promptEvents.js';
import type { SectionsRequested } from '../event/SectionsRequested.js';
import type { ToolInvoked } from '../event/ToolInvoked.js';
import type { Journal } from '../interface/Journal.js';
import type { FinishReason, ModelAdapter } from '../interface/ModelAdapter.js';
import type { ToolProgressed } from '../event/ToolProgressed.js';
import type { ToolsRendered } from '../event/ToolsRendered.js';
import type { RunMetadata } from '../interface/RunMetadata.js';
import type { Budget } from '../limit/Budget.js';
import type { OutputReference } from '../metadata/args/OutputReference.js';
import type { BudgetTracker } from '../limit/BudgetTracker.js';
import type { Deadline } from '../limit/Deadline.js';
import type { Session } from '../session/Session.js';
import type { Message } from '../value/Message.js';
import type { Usage } from '../value/Usage.js';

/** What happens during a run. */
export type RunEvent =
  PromptRendered | ToolsRendered | ToolProgressed | SectionsRequested | ToolInvoked | FeedbackGiven | PromptExecuted;

/** For whom and how long tool calls run. */
export interface CallOptions {
  /** The state that handlers see and change; a new, empty one when left out. */
  readonly session?: Session | undefined;
  readonly deadline?: Deadline | undefined;
  /** What may be spent; or what is left of another run's, when both count together. */
  readonly budget?: Budget | BudgetTracker | undefined;
  /** Aborting it ends the run: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The host's ids, shown in every event. */
  readonly runMetadata?: RunMetadata | undefined;
  /** Hears of the events of this run; the bus hears of them as well. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/** One evaluation: the model behind the adapter answers, calling tools on the way. `O` names the form of its answer. */
export interface EvaluateOptions<
  O extends OutputReference | undefined = OutputReference | undefined,
> extends CallOptions {
  readonly adapter: ModelAdapter;
  /** The form of the final answer, in place of the prompt's own: a class, or `{ array: X }`. */
  readonly output?: O | undefined;
  /**
   * Which overrides of the application's store the prompt is rendered with, also after sections were opened; `latest` when left
   * out. A rendering that is given keeps its own.
   */
  readonly overridesTag?: string | undefined;
  /** The conversation after the system message. */
  readonly messages?: readonly Message[] | undefined;
  /** Where the run is recorded, so that it can be continued when its process dies. */
  readonly journal?: Journal | undefined;
  /**
   * Continue the run that the journal holds, in the session as it was then; a new run when it holds none. No recorded
   * request or call is repeated.
   */
  readonly resume?: boolean | undefined;
  /**
   * What becomes of the model's request for summarised sections. `apply` (by default): they are opened for the session, and
   * the run goes on in the same conversation. `throw`: the run ends with `VisibilityExpansionRequired`, for callers with a
   * loop of their own.
   */
  readonly expansions?: 'apply' | 'throw' | undefined;
  /** Requests to the model, at most; 100 when left out. */
  readonly maxTurns?: number | undefined;
  /** How often completion checkers may refuse the final answer before it is taken as it is; 3 when left out. */
  readonly maxRefusedAnswers?: number | undefined;
}

/** What a run came to. `T` is the form of its answer. */
export interface PromptResponse<T = unknown> {
  readonly text: string | null;
  /** What the answer was read into; undefined when neither the prompt nor the run declares an output. */
  readonly output: T;
  readonly finishReason: FinishReason;
  /** The last response's figures: providers count the whole conversation in each request. */
  readonly usage: Usage | undefined;
  /** Requests that were made. */
  readonly turns: number;
  /** False when a completion checker refuses the answer, and it was taken because no further request may be made for it. */
  readonly complete: boolean;
  /** The whole conversation, system message and answer included. */
  readonly transcript: readonly Message[];
}
