import type { BoundPrompt, Constructor, EvaluateOptions, JsonValue, Message, SessionOptions } from 'toolwright';
import type { UnknownCallPolicy } from 'toolwright/conversations';
import type { Awaitable } from 'toolwright/types';
import type { DurableStore, RunRecord } from '../records/RunRecords.js';
import type { RunEngine } from './RunEngine.js';

/** The parts of a run that cannot be stored and are made in each process. */
export interface PreparedRun extends Omit<
  EvaluateOptions,
  'conversation' | 'runId' | 'messages' | 'session' | 'signal' | 'after' | 'expansions'
> {
  /** The prompt, or its class. */
  readonly prompt: BoundPrompt | Constructor;
  /**
   * The classes of the session's state, which is kept in the log of the conversation. Slices with `scope: 'user'` are kept for
   * `runMetadata.principal`.
   */
  readonly slices?: SessionOptions['slices'] | undefined;
  /**
   * The name of a session that conversations of the tenant share. It is stored under this name instead of in the log. Return the same
   * name for every run of a conversation, and the same `slices` for every conversation that shares the session.
   */
  readonly sharedSession?: string | undefined;
}

/** How to treat a run that began with other texts or tools than the prompt has now. */
export type VersionPolicy = 'continue' | 'park' | 'fail';

/** Options of `openRuns`. */
export interface RunsOptions<I extends JsonValue = JsonValue> {
  /** The store of logs and records: `SqliteRuns` or `PostgresRuns`. */
  readonly store: DurableStore;
  /**
   * Prepares a run in any process. The same input has to give the same prompt, tools and state classes. Errors count as faults of the
   * infrastructure: the run is tried again later.
   *
   * @param run.tenant the tenant that owns the data; null without one
   * @param run.input the `input` of `runs.start`
   */
  readonly prepare: (
    run: Pick<RunRecord, 'id' | 'conversation' | 'tenant'> & { readonly input: I },
  ) => Awaitable<PreparedRun>;
  /** The engine that decides which worker takes a run; when left out, one worker in this process. */
  readonly engine?: RunEngine | undefined;
  /**
   * False to leave all work to other processes, `later` to begin with `runs.work()`. True by default without `engine`, and `later` with
   * one.
   */
  readonly work?: boolean | 'later' | undefined;
  /** How to treat a call that was cut off and cannot be repeated safely; `fail` by default. */
  readonly onUnknown?: UnknownCallPolicy | undefined;
  /**
   * How to continue a run after its prompt has changed: `continue` (by default) keeps the text with which the conversation began, `park`
   * pauses the run, `fail` ends it.
   */
  readonly onVersion?: VersionPolicy | undefined;
  /** Milliseconds after which a run that waits for a reply fails; never when left out. */
  readonly expireMs?: number | undefined;
  /** The most takeovers in a row without progress, after workers ended or could not write the log; 10 by default. */
  readonly maxTakeovers?: number | undefined;
  /** The most runs at a time of the worker in this process, without `engine`; 8 by default. */
  readonly concurrency?: number | undefined;
  /**
   * False to request whole answers, which spares this process the pieces of a stream from the provider. `runs.stream` then has only
   * entries. True by default, for adapters that stream.
   */
  readonly streams?: boolean | undefined;
  /**
   * Milliseconds between polls for writes of other processes; 500 by default. A store that notices writes, such as `SqliteRuns`, does
   * not wait for the next poll.
   */
  readonly pollMs?: number | undefined;
  /**
   * Returns the `traceparent` of a new run's trace, as `runTraces()` of `@toolwright/opentelemetry` does. It is part of `runMetadata` in
   * every process.
   *
   * @param conversation the id of the run's conversation
   */
  readonly traceparent?: ((conversation: string) => string | undefined) | undefined;
}

/** Options of `runs.start`. */
export interface StartOptions<I extends JsonValue = JsonValue> {
  /** The id of the run, such as the id of the request. The same id again returns the same run. A new one when left out. */
  readonly id?: string | undefined;
  /** The conversation of the run; a new one when left out. Its runs are executed one after the other. */
  readonly conversation?: string | undefined;
  /** The JSON value that `prepare` gets; null when left out. */
  readonly input?: I | undefined;
  /** The new messages of the conversation. */
  readonly messages: readonly Message[];
}

/** Options of `runs.retry`. */
export interface RetryRunOptions {
  /** The `seq` of the last entry that is kept; later steps are repeated. The whole run is repeated when left out. */
  readonly from?: number | undefined;
  /** The id of the new run; a new one when left out. */
  readonly id?: string | undefined;
}

/** Options of `runs.steer`. */
export interface SteerOptions {
  /** The id of the message, such as the id of the request; a new one when left out. */
  readonly id?: string | undefined;
}

/** The start and the end of reading events. */
export interface EventOptions {
  readonly after?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
