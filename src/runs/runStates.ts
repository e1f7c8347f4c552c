import type { RunStatus } from '../interface/RunRecords.js';

/** The states of a run that has ended. */
export const ENDED: ReadonlySet<RunStatus> = new Set(['answered', 'failed', 'cancelled']);

/** Every state of a run. */
export const ALL_STATES: readonly RunStatus[] = ['queued', 'running', 'waiting', 'paused', ...ENDED];
