import { setTimeout as sleep } from 'node:timers/promises';
import { PromptEvaluationError } from 'toolwright';
import type { RunStore } from 'toolwright/conversations';
import { getApplicationParts, openLog } from 'toolwright/internal';
import type { RunRecord, RunStatus } from '../records/RunRecords.js';
import { CANCEL_PAUSE_MS, MAX_CANCEL_ATTEMPTS, MAX_CANCEL_WAIT_MS, MAX_LOG_READINGS } from '../limits.js';
import { closeRun } from './closeRun.js';
import { changeAndEnqueue, toEnqueuedJob } from './changeAndEnqueue.js';
import { isElsewhere } from './owners.js';
import type { DurableServices } from './readHealth.js';
import { ENDED } from './runStates.js';

/** The status of an ended run. */
export type EndedStatus = Extract<RunStatus, 'answered' | 'failed' | 'cancelled'>;

/**
 * Cancels a run: reads, writes, and repeats both until the run has ended. A worker in another process is asked first, because only it has
 * the text of the answer that it reads; if it does not end the run in time, it is shut out.
 *
 * @param read reads the record of the run
 * @returns the status with which the run ended
 * @throws PromptEvaluationError E738, E709
 */
export async function cancelRun(
  parts: DurableServices,
  read: () => Promise<RunRecord>,
  reason: string,
): Promise<EndedStatus> {
  const { store, active, changes } = parts;
  let isAsked = false;
  for (let attempt = 1; ; attempt++) {
    const run = await read();
    if (ENDED.has(run.status)) {
      changes.notify(run);
      return run.status as EndedStatus;
    }
    if (active.get(run) !== undefined) {
      await active.cancel(run, reason);
    } else if (!isAsked && run.status === 'running' && isElsewhere(run.owner, false)) {
      isAsked = true;
      await askWorker(parts, run, reason);
    } else if (hasNotBegun(run) || (await isClosed(parts, run, reason, attempt))) {
      const cancelled = { status: 'cancelled', problem: reason, expiresAt: null } as const;
      // The record is changed only in the state just read. If a worker takes the run meanwhile, the next attempt finds it.
      const asRead = { status: [run.status], owner: run.owner };
      await changeAndEnqueue(parts.engine, toEnqueuedJob(run), (within) =>
        store.records.change(run.id, asRead, cancelled, within),
      );
    }
  }
}

/** Tells the worker of a run to cancel it, and waits until the worker has stopped, for a time. */
async function askWorker({ store, changes }: DurableServices, run: RunRecord, reason: string): Promise<void> {
  const asRead = { status: ['running'], owner: run.owner } as const;
  const signal = AbortSignal.timeout(MAX_CANCEL_WAIT_MS);
  const watch = changes.watch(run, false, signal);
  try {
    let now = await store.records.change(run.id, asRead, { problem: reason });
    while (now?.status === 'running' && now.owner === run.owner) {
      await watch.next();
      now = await store.records.get(run.id);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    watch.stop();
  }
}

/** Checks for a run that is not in the log yet. Opening the log would shut out the run before it. */
function hasNotBegun({ fingerprint, status }: RunRecord): boolean {
  return fingerprint === null && status === 'queued';
}

/**
 * Closes a run in its log. If a worker opened the log meanwhile, closing fails, and the next attempt shuts the worker out. If the log
 * cannot be read, the run can never continue, so it ends only in the record, and the conversation can be deleted.
 *
 * @returns true if only the record still has to be changed
 * @throws PromptEvaluationError E709 after the last attempt
 */
async function isClosed(
  { store, app }: DurableServices,
  run: RunRecord,
  reason: string,
  attempt: number,
): Promise<boolean> {
  try {
    return (await closeRun(store, getApplicationParts(app).services.clock, run, 'cancelled', reason)) === undefined;
  } catch (error) {
    if (!isStoreFault(error) || attempt >= MAX_CANCEL_ATTEMPTS) throw error;
    if (attempt >= MAX_LOG_READINGS && (await isUnreadable(store, run))) return true;
    await sleep(Math.random() * CANCEL_PAUSE_MS);
    return false;
  }
}

async function isUnreadable(store: RunStore, { conversation }: RunRecord): Promise<boolean> {
  try {
    await openLog(store, conversation);
    return false;
  } catch (error) {
    return isStoreFault(error);
  }
}

function isStoreFault(error: unknown): boolean {
  return error instanceof PromptEvaluationError && error.code === 'E709';
}
