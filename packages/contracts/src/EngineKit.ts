import type { Awaitable } from 'toolwright/types';
import type { EngineJob, RunEngine } from '@toolwright/durable';

/** An engine under test. */
export interface EngineKit {
  /** Opens another engine on the same storage each time, as another process would. */
  open(): Awaitable<RunEngine>;
  /** Closes an engine that `open` returned; it was drained before. */
  close?(engine: RunEngine): Awaitable<void>;
  /** Is called before a job is enqueued, for an engine that looks at records: makes one that says so. */
  create?(job: EngineJob, delayMs: number): Awaitable<void>;
  /** Is called when there is nothing more to do for a job. */
  finish?(job: EngineJob): Awaitable<void>;
  /** For an engine that takes part in transactions: does the work in one, and rolls it back if it rejects. */
  transaction?(work: (tx: unknown) => Promise<void>): Promise<void>;
  /** Milliseconds that a job may take until it is carried; 10,000 when left out. */
  readonly patienceMs?: number | undefined;
}
