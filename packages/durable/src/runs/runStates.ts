import type { RunRecord, RunStatus } from '../records/RunRecords.js';

/** The states of an ended run. */
export const ENDED: ReadonlySet<RunStatus> = new Set(['answered', 'failed', 'cancelled']);

/** Every state of a run. */
export const ALL_STATES: readonly RunStatus[] = ['queued', 'running', 'waiting', 'paused', ...ENDED];

/** Checks whether a run has waited for a reply for too long. @param now milliseconds since 1970 */
export function isOver(run: Pick<RunRecord, 'status' | 'expiresAt'> | undefined, now: number): boolean {
  return run?.status === 'waiting' && run.expiresAt !== null && run.expiresAt <= now;
}
