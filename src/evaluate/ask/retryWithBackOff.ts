import { FIRST_PAUSE_MS, MAX_PAUSES_MS, MAX_PAUSE_MS, MAX_THROTTLED_ATTEMPTS } from '../../common/limits.js';
import type { Awaitable } from '../../common/types.js';
import { ThrottleError } from '../../error/ThrottleError.js';
import type { Clock } from '../../interface/ports.js';
import type { Deadline } from '../../limit/Deadline.js';
import { waitFor } from '../../limit/clocks.js';

/** Options of waiting between attempts. */
export interface BackOffRules {
  readonly clock: Clock;
  /** Returns numbers from 0 up to 1. */
  readonly random: () => number;
  readonly deadline: Deadline | undefined;
  readonly signal: AbortSignal | undefined;
  /** At most this many attempts; 5 when left out. */
  readonly attempts?: number | undefined;
  /** The longest time of all waits together, in milliseconds; 30,000 when left out. */
  readonly pausesMs?: number | undefined;
  /** Is called before each wait, with its length in milliseconds, and awaited. */
  readonly onWait?: ((error: ThrottleError, milliseconds: number) => Awaitable<void>) | undefined;
}

/**
 * Asks again while the provider throttles, waiting up to 0.5, 1, 2, 4 seconds or as long as the provider asks for, and never past the
 * deadline (docs/contract.md, 16).
 *
 * @throws the last ThrottleError when the attempts or the time are used up, the signal's reason, and what `ask` throws otherwise
 */
export async function retryWithBackOff<T>(ask: () => Promise<T>, rules: BackOffRules): Promise<T> {
  const { attempts = MAX_THROTTLED_ATTEMPTS, pausesMs = MAX_PAUSES_MS } = rules;
  let waited = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ThrottleError) || !error.retrySafe || attempt >= attempts) throw error;
      const wait = computeWait(error, attempt, rules.random);
      waited += wait;
      if (waited > pausesMs || wait >= (rules.deadline?.remaining ?? Infinity)) throw error;
      await rules.onWait?.(error, wait);
      await waitFor(rules.clock, wait, rules.signal);
    }
  }
}

/** Returns a random part of a time that doubles, so that clients do not retry all at once; never less than asked for. */
function computeWait({ retryAfter = 0 }: ThrottleError, attempt: number, random: () => number): number {
  const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return Math.max(retryAfter * 1_000, Math.round(random() * longest));
}
