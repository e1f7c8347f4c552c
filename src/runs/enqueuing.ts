import type { EngineJob, RunEngine } from '../interface/RunEngine.js';
import type { RunRecords, WithinChange } from '../interface/RunRecords.js';

const PAGE = 100;

/** What is enqueued with a change. */
export interface EnqueuedJob extends EngineJob {
  readonly delayMs?: number | undefined;
}

/** Makes a change and enqueues a job: in one transaction if the engine takes part in it, else one after the other. */
export async function enqueuing<T>(
  engine: RunEngine,
  { run, conversation, delayMs }: EnqueuedJob,
  change: (within?: WithinChange) => Promise<T>,
): Promise<T> {
  const job = { run, conversation };
  if (engine.isTransactional === true) return change((tx) => engine.enqueue(job, { delayMs }, tx));
  const result = await change();
  await engine.enqueue(job, { delayMs });
  return result;
}

/** Enqueues every run that has not ended; returns how many they were. */
export async function enqueueOpen(engine: RunEngine, records: RunRecords): Promise<number> {
  let count = 0;
  for (let after: number | undefined; ;) {
    const page = await records.list({ status: ['queued', 'running', 'waiting'], after, limit: PAGE });
    for (const { id: run, conversation } of page) await engine.enqueue({ run, conversation });
    count += page.length;
    if (page.length < PAGE) return count;
    after = page.at(-1)?.order;
  }
}
