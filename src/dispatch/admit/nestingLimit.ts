import type { CallPlace } from '../CallRun.js';

/** Calls that may stand within each other: the handler of each makes the next one. */
export const MOST_NESTED = 64;

/** True for a call that stands within too many others. */
export function isTooDeep({ position = '0' }: CallPlace): boolean {
  return position.length > MOST_NESTED && position.split('.').length > MOST_NESTED;
}
