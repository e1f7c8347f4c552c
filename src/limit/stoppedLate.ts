import { withinPatience } from '../common/withinPatience.js';
import { raceLimits, type RunLimits } from './raceLimits.js';

/**
 * Waits for something that deadline and caller do not interrupt at once, such as a commit: they give it five seconds.
 *
 * @returns undefined once it has ended, whatever the end was; else what stopped the wait: Cancelled or DeadlineExceededError
 */
export async function stoppedLate(running: Promise<unknown>, limits: RunLimits): Promise<unknown> {
  const ended = running.then(
    () => undefined,
    () => undefined,
  );
  const stop = await raceLimits(ended, limits).catch((reason: unknown) => reason);
  return stop === undefined || (await withinPatience(ended)) ? undefined : stop;
}
