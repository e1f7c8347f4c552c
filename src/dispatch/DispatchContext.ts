import type { Turns } from '../common/TimeSlice.js';
import type { ParamIssue } from '../error/toolErrors.js';
import type { EventBus } from '../event/EventBus.js';
import type { ToolProgress } from '../event/ToolProgressed.js';
import type { ApprovalAnswer, Approver } from '../interface/Approver.js';
import type { Clock, IdSource, Logger } from '../interface/ports.js';
import type { RunMetadata } from '../interface/CallContext.js';
import type { RunEntry } from '../interface/RunEntry.js';
import type { RunHandle } from '../interface/RunHandle.js';
import type { BudgetTracker } from '../limit/BudgetTracker.js';
import type { Deadline } from '../limit/Deadline.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import type { FeedbackSchedules } from '../policy/FeedbackSchedule.js';
import type { ResourceRegistry } from '../resource/ResourceRegistry.js';
import type { SessionTransaction, TransactionBase } from '../session/SessionTransaction.js';
import type { RepairMode, ToolCall, ToolCaller } from '../value/ToolCall.js';
import type { ErrorMask } from './redact/ErrorMask.js';
import type { InterceptorList } from './attempt/InterceptorList.js';
import type { OpenCall } from './attempt/OpenCall.js';
import type { ProgramScope } from './attempt/ProgramScope.js';
import type { SessionObserver } from './SessionObserver.js';
import type { SectionExpander } from './SectionExpander.js';
import type { TurnRecord } from './TurnRecord.js';
import type { Redaction } from './redact/Redaction.js';
import type { Seals } from './admit/Seals.js';
import type { ResourceChanges } from '../resource/Overlays.js';
import type { SliceKey } from '../session/slice/SliceStore.js';
import type { ChangedTable } from '../session/table/TableOverlays.js';

/** The services of an application that the dispatcher uses. */
export interface DispatchServices {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly eventBus: EventBus;
  /** The application's own bindings; a call sees the bindings of its rendering. */
  readonly resources: ResourceRegistry;
  readonly redaction: Redaction;
  readonly seals: Seals;
  readonly errorMask: ErrorMask;
  readonly interceptors: InterceptorList;
  readonly schedules: FeedbackSchedules;
  /** Default limit, in characters, for a value that the model reads; a tool may set its own. */
  readonly resultLimit: number;
  /** Limit, in bytes, for all parts of one result together. */
  readonly partLimit: number;
  readonly approver: Approver | undefined;
  /**
   * Digests the effects that a call would have now, to compare them with those its approver saw; undefined if it cannot be
   * rehearsed.
   */
  readonly digestCall: (call: DigestRequest) => Promise<string | undefined>;
  /** Limit, in milliseconds, for one answer of a policy. */
  readonly policyMs: number;
  /** How to treat arguments that a model wrote almost right. */
  readonly repair: RepairMode;
}

/** A call to rehearse, and the run that it belongs to. */
export interface DigestRequest {
  readonly call: ToolCall;
  /** True if a person wrote the arguments of the call. */
  readonly isEdited: boolean;
  readonly run: Pick<DispatchContext, 'rendered' | 'session' | 'observer' | 'metadata' | 'signal' | 'deadline'>;
}

/** Where a run is recorded; null for a run without a conversation, and for a conversation that belongs to no tenant. */
export interface Home {
  readonly conversation: string | null;
  readonly tenant: string | null;
}

/** The run that a call belongs to: the same for every call of a turn. */
export interface DispatchContext {
  /** Makes the id on first use: most single calls need none. */
  readonly id: () => string;
  /** The run whose idempotency keys its calls have; its own when undefined. */
  readonly repeatOf?: string | undefined;
  readonly rendered: RenderedPrompt;
  readonly session: TransactionBase;
  readonly deadline: Deadline | undefined;
  readonly budget: BudgetTracker | undefined;
  /** The caller's own signal. */
  readonly signal: AbortSignal | undefined;
  readonly metadata: RunMetadata;
  /** The log that the run is written to; undefined for a run that is not recorded. */
  readonly home?: Home | undefined;
  /** Receives the run's events besides the bus. */
  readonly onEvent: ((event: object) => void) | undefined;
  /** Passes the run's events to reducers of the session. */
  readonly observer: SessionObserver | undefined;
  /** Makes the handle with which a handler starts a run within its call; undefined without a model. */
  readonly runHandle: ((parentCall: OpenCall<SessionTransaction>) => RunHandle) | undefined;
  /** Explains why a tool that the conversation knows cannot be called now; returns undefined for any other name. */
  readonly unavailable?: ((name: string) => string | undefined) | undefined;
  /** Finds the denial of a person that still holds for a call; undefined for a run that is not recorded. */
  readonly findDenial?: ((call: ToolCall) => StandingDenial | undefined) | undefined;
  /** The call in which this run takes place. */
  readonly parentCall: OpenCall | undefined;
  /** Records the changes that a call would make; when set, no call of the run is committed. */
  readonly rehearsal?: RehearsalRecord | undefined;
}

/** The parts of a run that determine the receivers and the common fields of its events. */
export type EventAudience = Pick<DispatchContext, 'session' | 'metadata' | 'onEvent' | 'observer'>;

/** The denial of a call that holds for every later call of the same tool with the same arguments. */
export interface StandingDenial {
  readonly reason: string;
  /** When it ends: with the next message of the user, or when the host lifts it. */
  readonly until: 'message' | 'lifted';
}

/** Where a call takes place within its run. */
export interface Placement {
  /** The call of the handler that makes this one, which is then a savepoint of it. */
  readonly parentCall?: OpenCall | undefined;
  /** 1 for the first turn of the run. */
  readonly turn?: number | undefined;
  /** Records how the call ended. */
  readonly record?: TurnRecord | undefined;
  /** `0` for the first call of the turn, `0.1` for the second call that the handler of that call makes. */
  readonly position?: string | undefined;
  /** Opens the sections that a call of the run asks for; without one, the request escapes. */
  readonly expander?: SectionExpander | undefined;
  /** The answer to a call that waited for its approval; the approver is not asked again. */
  readonly answer?: ApprovalAnswer | undefined;
  /** The denial of an earlier call that also denies this one, without a question. */
  readonly denial?: StandingDenial | undefined;
  /** The call as the model made it, if a person approved it with other arguments: those are in the call itself. */
  readonly asked?: ToolCall | undefined;
  /** The question that was answered, if a log has it: an approval holds only for the call that the question showed. */
  readonly question?: Pick<RunEntry<'question'>, 'shown' | 'askedAt' | 'call'> | undefined;
  /** The digest of the rehearsal that the answer holds for; any rehearsal when left out. */
  readonly seen?: string | undefined;
  /** When left out, the caller is the model, the host or a handler. */
  readonly caller?: ToolCaller | undefined;
  /** The program that makes the call, directly or through a handler that it called. */
  readonly program?: ProgramScope | undefined;
  /** Receives the progress of the handler, without secrets; handlers that it calls have none. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** Lets other work run between the renderings of results that end together. */
  readonly turns?: Turns | undefined;
  /** The issues for which the arguments were refused when the call was received. */
  readonly refusals?: readonly ParamIssue[] | undefined;
  /** True if the arguments are so large that other work should have turns while they are read. */
  readonly isLarge?: boolean | undefined;
  /** The tool itself, if the rendering does not offer it. */
  readonly tool?: RenderedTool | undefined;
}

/** A slice that a call would change. */
export interface ChangedSlice {
  readonly key: SliceKey;
  /** The values, oldest first. */
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** The changes that the outermost call of a rehearsal would make; empty until it has succeeded. */
export interface RehearsalRecord {
  slices: readonly ChangedSlice[];
  /** The tables of the session that the call used. */
  tables?: readonly ChangedTable[];
  resources: readonly ResourceChanges[];
}
