import { setTimeout as delay } from 'node:timers/promises';
import { readMonotonicMs } from '../common/builtins.js';
import type { Clock } from '../interface/ports.js';

/** @throws the signal's reason if it aborts first */
export async function waitFor(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (clock.sleep !== undefined) return clock.sleep(milliseconds, signal);
  try {
    await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** The system clock. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: readMonotonicMs,
});
