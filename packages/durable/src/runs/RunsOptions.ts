import type { BoundPrompt, Constructor, EvaluateOptions, JsonValue, Message, SessionOptions } from 'toolwright';
import type { UnknownCallPolicy } from 'toolwright/conversations';
import type { Awaitable } from 'toolwright/types';
import type { DurableStore } from 'toolwright/internal';
import type { RunEngine } from './RunEngine.js';

/** The run that `prepare` is to make ready. */
export interface RunToPrepare<I extends JsonValue = JsonValue> {
  readonly id: string;
  readonly conversation: string;
  /** Whose data it is; null without a tenant. */
  readonly tenant: string | null;
  /** What `runs.start` was given. */
  readonly input: I;
}

/** What a run is made of in this process: everything that cannot be stored. */
export interface PreparedRun extends Omit<
  EvaluateOptions,
  'conversation' | 'runId' | 'messages' | 'session' | 'signal' | 'after' | 'expansions'
> {
  /** The prompt, or its class. */
  readonly prompt: BoundPrompt | Constructor;
  /** The classes of the session's state, which is kept in the log of the conversation. */
  readonly slices?: SessionOptions['slices'] | undefined;
  /**
   * The name of a session that other conversations of the tenant share: it is kept in the store under this name in place of the log.
   * Return the same name for every run of a conversation, and the same `slices` for every conversation over it.
   */
  readonly sharedSession?: string | undefined;
}

/**
 * Makes a run ready in any process: the same input has to give the same prompt, tools and state classes. What it throws counts as a
 * fault of the infrastructure: the run is taken again later.
 */
export type PrepareRun<I extends JsonValue = JsonValue> = (run: RunToPrepare<I>) => Awaitable<PreparedRun>;

/** What happens to a run that began with other texts or tools than the prompt has now. */
export type VersionPolicy = 'continue' | 'park' | 'fail';

/** Options of `openRuns`. */
export interface RunsOptions<I extends JsonValue = JsonValue> {
  /** Keeps logs and records: `SqliteRuns` or `PostgresRuns`. */
  readonly store: DurableStore;
  readonly prepare: PrepareRun<I>;
  /** Decides which worker takes a run; one in this process when left out. */
  readonly engine?: RunEngine | undefined;
  /** False to leave all work to other processes; true by default without `engine`. With one, call `runs.work()`. */
  readonly work?: boolean | undefined;
  /** What happens to a call that was cut off and cannot be repeated safely; `fail` by default. */
  readonly onUnknown?: UnknownCallPolicy | undefined;
  /**
   * What happens when a run goes on and its prompt has changed: `continue` (by default) keeps the text that the conversation began
   * with, `park` pauses the run, `fail` ends it.
   */
  readonly onVersion?: VersionPolicy | undefined;
  /** Milliseconds after which a run that waits for a reply is given up; never when left out. */
  readonly expireMs?: number | undefined;
  /** How often a run is taken over from workers that ended, or could not write its log, before it made any progress; 10 by default. */
  readonly maxTakeovers?: number | undefined;
  /** The most runs at a time of the worker in this process, without `engine`; 8 by default. */
  readonly concurrency?: number | undefined;
  /**
   * Milliseconds between looks for writes of other processes; 500 by default. A store that notices writes, such as `SqliteRuns`,
   * does not wait for them.
   */
  readonly pollMs?: number | undefined;
  /**
   * Returns the `traceparent` of the trace that a new run belongs to, such as `runTraces()` of `@toolwright/opentelemetry`. It is part of
   * `runMetadata`, in every process.
   *
   * @param conversation the id of the run's conversation
   */
  readonly traceparent?: ((conversation: string) => string | undefined) | undefined;
}

/** What a run begins with. */
export interface StartOptions<I extends JsonValue = JsonValue> {
  /** The id of the run, such as that of the request: the same id again is the same run. A new one when left out. */
  readonly id?: string | undefined;
  /** The conversation that it belongs to; a new one when left out. Its runs go on one after the other. */
  readonly conversation?: string | undefined;
  /** What `prepare` gets, as JSON; null when left out. */
  readonly input?: I | undefined;
  /** The new messages of the conversation. */
  readonly messages: readonly Message[];
}

/** Options of `runs.retry`. */
export interface RetryRunOptions {
  /** The place of the last entry that is kept, as events have it in `seq`: what came after it is done again. All when left out. */
  readonly from?: number | undefined;
  /** The id of the new run; a new one when left out. */
  readonly id?: string | undefined;
}

/** Options of `runs.fork`. */
export interface ForkRunOptions {
  /** The id of the copy, which no conversation may have; a new one when left out. */
  readonly conversation?: string | undefined;
}

/** Where to begin, and when to stop. */
export interface EventOptions {
  readonly after?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
