import type { Clock } from '../interface/Clock.js';

/** The clock of the system. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => performance.now(),
});
