import type { FeedbackGiven } from '../event/FeedbackGiven.js';
import type { ModelSwitched } from '../event/ModelSwitched.js';
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
import type { HistoryOptions } from './conversation/history/shortenHistory.js';
import type { UnknownCallPolicy } from '../value/ToolCall.js';
import type { RunDelta, ShownEntry } from '../interface/RunEntry.js';

/** The events of a run. */
export type RunEvent =
  | PromptRendered
  | PromptDrifted
  | PrefixMeasured
  | ModelSwitched
  | ToolsRendered
  | ToolProgressed
  | SectionsRequested
  | ToolInvoked
  | FeedbackGiven
  | PromptExecuted
  | PromptStopped;

/** Options of tool calls: state, limits and observers. */
export interface CallOptions {
  /**
   * The state that handlers see and change.
   *
   * @defaultValue a new, empty session
   * @example session: new Session()
   */
  readonly session?: Session | undefined;
  /**
   * The time by which the call or the run must have ended.
   *
   * @example deadline: Deadline.in(30_000)
   */
  readonly deadline?: Deadline | undefined;
  /**
   * Limits on tokens, calls and time. A `BudgetTracker` shares one budget between several runs.
   *
   * @example budget: new Budget({ maxTotalTokens: 50_000 })
   */
  readonly budget?: Budget | BudgetTracker | undefined;
  /**
   * Ends the run when it is aborted: the promise rejects with the reason of the signal.
   *
   * @example signal: AbortSignal.timeout(60_000)
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Ids of the host, such as request, trace and tenant. Every event contains them.
   *
   * @example runMetadata: { requestId: 'r-17' }
   */
  readonly runMetadata?: RunMetadata | undefined;
  /**
   * The id of the run that this one repeats: calls at the same place with the same arguments get the same idempotency
   * keys, if both runs have the same conversation and tenant.
   *
   * @defaultValue the run has its own keys
   * @example repeatOf: 'run-17'
   */
  readonly repeatOf?: string | undefined;
  /**
   * Called with each event of this run. The event bus gets them as well.
   *
   * @example onEvent: (event) => events.push(event)
   */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/** Options of `app.evaluate` and `app.stream`. `O` is the output that the answer is parsed into. */
export interface EvaluateOptions<
  O extends OutputReference | undefined = OutputReference | undefined,
> extends CallOptions {
  /**
   * The adapter of the model; `fallback` of `toolwright/adapters` makes one of several.
   *
   * @example adapter: new OpenAIChatAdapter({ client: new OpenAI(), model: 'gpt-5-mini' })
   */
  readonly adapter: ModelAdapter;
  /**
   * The output of the final answer: a class, or `{ array: X }`.
   *
   * @defaultValue the output of the prompt
   * @example output: Verdict
   */
  readonly output?: O | undefined;
  /**
   * The tag of the overrides that the prompt is rendered with, also after sections were opened. An already rendered
   * prompt keeps its own.
   *
   * @defaultValue `'latest'`
   * @example overridesTag: 'winter'
   */
  readonly overridesTag?: string | undefined;
  /**
   * The messages after the system message, or after everything that the conversation holds.
   *
   * @example messages: [{ role: 'user', content: 'Where is my order?' }]
   */
  readonly messages?: readonly Message[] | undefined;
  /**
   * The conversation that the run appends to. Without messages, an open run continues, and no recorded request or call
   * is repeated. Without a conversation, only the response of the run is kept.
   *
   * @example conversation: new Conversation()
   */
  readonly conversation?: Conversation | undefined;
  /**
   * The id of the run, such as the id of the request to your service. The same id continues the same run, and never
   * begins another.
   *
   * @defaultValue a new id
   * @example runId: 'r-17'
   */
  readonly runId?: string | undefined;
  /**
   * How to treat a call that began in a process which has ended, and that cannot be repeated safely (neither
   * `readOnly`, nor `idempotent`, nor `openWorld: false`). `fail`: the model reads that the effect is unknown.
   * `repeat`: the call runs again with the same idempotency key. `ask`: the run waits for `conversation.reply`.
   *
   * @defaultValue `'fail'`
   * @example onUnknown: 'ask'
   */
  readonly onUnknown?: UnknownCallPolicy | undefined;
  /**
   * For `app.stream` when a client reads a run of the conversation again: leaves out the events up to this `seq`, which
   * the client has already.
   *
   * @example after: 12
   */
  readonly after?: number | undefined;
  /**
   * Keeps the requests of a conversation within a number of tokens. Before a larger request, earlier messages are
   * summarised, and the conversation continues with the summary in a new segment. Session and opened sections are kept.
   *
   * @example history: { maxTokens: 50_000, summarise }
   */
  readonly history?: HistoryOptions | undefined;
  /**
   * Says which tools the model may or must call, in all turns or by turn.
   *
   * @defaultValue the model decides
   * @example toolChoice: (turn) => (turn === 1 ? 'required' : 'auto')
   */
  readonly toolChoice?: ToolChoice | ((turn: number) => ToolChoice | undefined) | undefined;
  /**
   * False if the model may make only one call in an answer.
   *
   * @defaultValue the provider decides
   * @example parallelToolCalls: false
   */
  readonly parallelToolCalls?: boolean | undefined;
  /**
   * Texts at which the model stops.
   *
   * @example stopSequences: ['END']
   */
  readonly stopSequences?: readonly string[] | undefined;
  /**
   * The sampling temperature, in the provider's scale.
   *
   * @defaultValue the provider decides
   * @example temperature: 0
   */
  readonly temperature?: number | undefined;
  /**
   * How to treat the model's requests for summarised sections. `apply`: they are opened for the session, and the run
   * continues in the same conversation. `throw`: the run ends with `VisibilityExpansionRequired`, for callers with
   * their own loop.
   *
   * @defaultValue `'apply'`
   * @example expansions: 'throw'
   */
  readonly expansions?: 'apply' | 'throw' | undefined;
  /**
   * Maximum number of requests to the model.
   *
   * @defaultValue `100`
   * @example maxTurns: 20
   */
  readonly maxTurns?: number | undefined;
  /**
   * How often completion checkers may refuse the final answer before it is accepted.
   *
   * @defaultValue `3`
   * @example maxRefusedAnswers: 1
   */
  readonly maxRefusedAnswers?: number | undefined;
}

/** The result of a run. `T` is the type of its parsed answer. */
export interface PromptResponse<T = unknown> {
  readonly text: string | null;
  /** The parsed answer; undefined if neither the prompt nor the run declares an output. */
  readonly output: T;
  readonly finishReason: FinishReason;
  /** The usage of all requests of the run, without runs of its handlers; undefined if none was reported. */
  readonly usage: Usage | undefined;
  /**
   * The usage of each request, in order; after a fallback, answers that another model replaced come first. Providers count the whole
   * conversation in each.
   */
  readonly requests: readonly (Usage | undefined)[];
  /** The name of the adapter that answered each request, in the order of `requests`; more than one after a fallback. */
  readonly adapters: readonly string[];
  /**
   * The cost in the currency of `prices`. Undefined without a price for the model, or if a request did not report its
   * tokens.
   */
  readonly cost: number | undefined;
  /** The number of requests to the model. */
  readonly turns: number;
  /** False if a completion checker refuses the answer, which was accepted because no further request was allowed. */
  readonly complete: boolean;
  /** The whole conversation, including the system message and the answer. */
  readonly transcript: readonly Message[];
}

/** An event of a run that goes on. */
export type StreamStep = RunDelta | ShownEntry<'answer' | 'outcome' | 'note' | 'steering' | 'question'>;

/**
 * An event of `app.stream`: an entry of the run, a part of an entry to come, or last the response that `app.evaluate` would
 * have returned. `T` is the type of its parsed answer.
 */
export type StreamEvent<T = unknown> = StreamStep | { readonly kind: 'done'; readonly response: PromptResponse<T> };

/** Emits an event, and resolves when the run may continue; rejects with the reason why it may not. */
export type EmitStep = (event: StreamStep) => Promise<void>;
