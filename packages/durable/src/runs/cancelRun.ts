import { setTimeout as sleep } from 'node:timers/promises';
import { PromptEvaluationError } from 'toolwright';
import type { RunStore } from 'toolwright/conversations';
import { getApplicationParts, openLog, type RunRecord, type RunStatus } from 'toolwright/internal';
import { CANCEL_PAUSE_MS, MAX_CANCEL_ATTEMPTS, MAX_LOG_READINGS } from '../limits.js';
import { closeRun } from './closeRun.js';
import { changeAndEnqueue, toEnqueuedJob } from './changeAndEnqueue.js';
import type { DurableServices } from './readHealth.js';
import { ENDED } from './runStates.js';

/** How a run ended. */
export type EndedStatus = Extract<RunStatus, 'answered' | 'failed' | 'cancelled'>;

/**
 * Cancels a run: looks, writes, and looks again until the run has ended.
 *
 * @param read reads its record
 * @returns how it ended
 * @throws PromptEvaluationError E738, E709
 */
export async function cancelRun(
  parts: DurableServices,
  read: () => Promise<RunRecord>,
  reason: string,
): Promise<EndedStatus> {
  const { store, active, changes } = parts;
  for (let attempt = 1; ; attempt++) {
    const run = await read();
    if (ENDED.has(run.status)) {
      changes.notify(run);
      return run.status as EndedStatus;
    }
    if (active.get(run) !== undefined) {
      await active.cancel(run, reason);
    } else if (hasNotBegun(run) || (await isClosed(parts, run, reason, attempt))) {
      const cancelled = { status: 'cancelled', problem: reason, expiresAt: null } as const;
      // Only a record in the state that was just read: a worker that takes the run meanwhile is found by the next look.
      const asRead = { status: [run.status], owner: run.owner };
      await changeAndEnqueue(parts.engine, toEnqueuedJob(run), (within) =>
        store.records.change(run.id, asRead, cancelled, within),
      );
    }
  }
}

/** True for a run without a log to close; opening it would shut out the run before it. */
function hasNotBegun({ fingerprint, status }: RunRecord): boolean {
  return fingerprint === null && status === 'queued';
}

/**
 * Closes a run in its log. A worker that opened the log meanwhile refuses that, and the next attempt shuts it out. A log that cannot be
 * read decides nothing, and nothing can go on with it: its run ends in the record, so that the conversation can be deleted.
 *
 * @returns true if only the record is left to change
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
