/** What an engine hands to a worker: a conversation that may have something to do. */
export interface EngineJob {
  /** Whose conversation it is; null without a tenant. */
  readonly tenant: string | null;
  readonly conversation: string;
  /** The run that it is about. */
  readonly run: string;
}

/**
 * Works on a conversation: on its runs in their order, until one waits or all have ended. Harmless if there is nothing to do.
 *
 * @returns `again` if there is more to do, which another worker should take: this one drains
 * @throws what of the infrastructure failed: the engine should call it again, here or elsewhere
 */
export type CarryJob = (job: EngineJob) => Promise<'done' | 'again'>;

/** How far an engine is. */
export interface EngineHealth {
  readonly ok: boolean;
  /** What is wrong; left out if nothing is. */
  readonly problem?: string | undefined;
}

/**
 * Port to what decides who works on a run: a queue, a scheduler, a workflow engine. The log and the records hold everything else. An
 * engine promises two things: each enqueued job is carried at least once, also after the process of its worker ended; and jobs of one
 * conversation are carried one at a time.
 */
export interface RunEngine {
  /** True if `enqueue` takes part in transactions of the store; else it is called after the change was made. */
  readonly isTransactional?: boolean | undefined;
  /**
   * Enqueues a job.
   *
   * @param options.delayMs the milliseconds after which it may be carried; at once when left out
   * @param tx the transaction of the store, for an engine that takes part in it: a client of the database; undefined without
   */
  enqueue(job: EngineJob, options?: { readonly delayMs?: number | undefined }, tx?: unknown): Promise<void>;
  /** Begins to carry jobs in this process. */
  work(carry: CarryJob): Promise<void>;
  /**
   * Takes no more jobs, and resolves once those that are being carried have ended.
   *
   * @param ms the milliseconds to wait for them
   */
  drain(ms: number): Promise<void>;
  /** Says if the engine can be reached. */
  health?(): Promise<EngineHealth>;
}
