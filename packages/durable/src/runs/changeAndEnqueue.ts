import type { EngineJob, RunEngine } from './RunEngine.js';
import type { RunRecord, RunsOverview, WithinChange } from '../records/RunRecords.js';

const PAGE = 100;

/** A job that is enqueued together with a change. */
export interface EnqueuedJob extends EngineJob {
  readonly delayMs?: number | undefined;
}

/** Returns the job of a run. */
export function toEnqueuedJob({
  tenant,
  id: run,
  conversation,
}: Pick<RunRecord, 'tenant' | 'id' | 'conversation'>): EngineJob {
  return { tenant, run, conversation };
}

/** Makes a change and enqueues a job: in one transaction if the engine takes part in it, otherwise one after the other. */
export async function changeAndEnqueue<T>(
  engine: RunEngine,
  { tenant, run, conversation, delayMs }: EnqueuedJob,
  change: (within?: WithinChange) => Promise<T>,
): Promise<T> {
  const job = { tenant, run, conversation };
  if (engine.isTransactional === true) return change((tx) => engine.enqueue(job, { delayMs }, tx));
  const result = await change();
  await engine.enqueue(job, { delayMs });
  return result;
}

/** Enqueues every open run of all tenants. Returns the number of runs. */
export async function enqueueOpen(engine: RunEngine, runs: RunsOverview): Promise<number> {
  let count = 0;
  for (let after: number | undefined; ;) {
    const page = await runs.outline({ status: ['queued', 'running', 'waiting'], after, limit: PAGE });
    for (const { tenant, id: run, conversation } of page) await engine.enqueue({ tenant, run, conversation });
    count += page.length;
    if (page.length < PAGE) return count;
    after = page.at(-1)?.order;
  }
}
