/** The job that an engine gives to a worker: a conversation that may have work. */
export interface EngineJob {
  /** The tenant of the conversation; null without one. */
  readonly tenant: string | null;
  readonly conversation: string;
  /** The id of the run. */
  readonly run: string;
}

/**
 * Works on the runs of a conversation in their order, until one waits or all have ended. Harmless if there is no work.
 *
 * @param isWorkedOn checks whether the worker of a running run may still live, so that its run is left alone; left out by an engine that
 * never carries a conversation in two processes at once
 * @returns `again` if there is more work for another worker, because this one drains
 * @throws the error of the infrastructure, unchanged; the engine should call it again, here or elsewhere
 */
export type CarryJob = (job: EngineJob, isWorkedOn?: (owner: string | null) => boolean) => Promise<'done' | 'again'>;

/** The health of an engine. */
export interface EngineHealth {
  readonly ok: boolean;
  /** The problem; left out without one. */
  readonly problem?: string | undefined;
}

/**
 * The port to a queue, scheduler or workflow engine that decides which worker takes a run. The log and the records hold everything
 * else. An engine guarantees two things: each enqueued job is carried at least once, even if the process of its worker ends; and jobs
 * of one conversation are carried one at a time.
 */
export interface RunEngine {
  /** True if `enqueue` takes part in transactions of the store; otherwise it is called after the change. */
  readonly isTransactional?: boolean | undefined;
  /**
   * Enqueues a job.
   *
   * @param options.delayMs the milliseconds after which the job may be carried; at once when left out
   * @param tx a client of the database in the store's transaction, for an engine that takes part in it; undefined otherwise
   */
  enqueue(job: EngineJob, options?: { readonly delayMs?: number | undefined }, tx?: unknown): Promise<void>;
  /** Starts to carry jobs in this process. */
  work(carry: CarryJob): Promise<void>;
  /**
   * Stops taking jobs, and resolves once the current jobs have ended.
   *
   * @param ms the milliseconds to wait for them
   */
  drain(ms: number): Promise<void>;
  /** Checks whether the engine can be reached. */
  health?(): Promise<EngineHealth>;
}
