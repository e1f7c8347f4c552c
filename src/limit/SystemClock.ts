import type { Clock } from '../interface/Clock.js';

/** The machine's own time. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => performance.now(),
});
