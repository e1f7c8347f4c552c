// The moments at which a process is killed.
import type { RunEntry } from 'toolwright/conversations';

/** An entry of the log, or the commit of a call's changes to the database. */
export interface KillPoint {
  /** `during`: while the entry is written, so that it may or may not be there afterwards. */
  readonly when: 'before' | 'after' | 'during';
  readonly what: RunEntry['kind'] | 'commit';
}

const kinds = ['conversation', 'model', 'run', 'answer', 'begun', 'outcome', 'question', 'reply', 'end'] as const;
const duringKinds = ['conversation', 'answer', 'begun', 'outcome', 'end'] as const;

/** Questions and replies first: few tasks have any, and each task is killed at the first two points that it reaches. */
export const killPoints: readonly KillPoint[] = [
  ...(['before', 'after'] as const).flatMap((when) => [...kinds, 'commit' as const].map((what) => ({ when, what }))),
  ...duringKinds.map((what) => ({ when: 'during' as const, what })),
];

export function nameOf({ when, what }: KillPoint): string {
  return `${when} ${what}`;
}

/** Ends this process as a loss of power would, without running any of its code. */
export function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}
