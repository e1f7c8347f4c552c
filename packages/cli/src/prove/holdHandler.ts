import { setImmediate as waitForTurn, setTimeout as sleep } from 'node:timers/promises';
import { LATE_WRITE_MS } from '../limits.js';
import type { Bench, BenchCall, Made } from './Bench.js';

/**
 * Makes a call whose handler runs on after its call was stopped, and waits for its late effects.
 *
 * @returns also whether the fault was applied: the handler had not refused or thrown before the stop
 * @param stop called when the handler has begun and waits, or has returned
 */
export async function stopCall(
  bench: Bench,
  tool: string,
  args: string,
  { stop, ...options }: BenchCall & { readonly stop: () => void; readonly waitMs: number },
): Promise<Made & { readonly isReached: boolean }> {
  let running: Promise<unknown> | undefined;
  let isReached = false;
  bench.intercept(async ({ context }, next) => {
    const { signal } = context;
    let isRefused = false;
    running = next().then(
      ({ success }) => {
        isRefused = !success;
      },
      () => {
        isRefused = true;
      },
    );
    await waitForTurn();
    isReached = !isRefused;
    stop();
    // A handler that has returned is held, so that its call ends by the stop and not with the handler.
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else
        signal.addEventListener('abort', () => {
          resolve();
        });
    });
  });
  const made = await bench.call(tool, args, options);
  await Promise.race([running, sleep(options.waitMs, undefined, { ref: false })]);
  await sleep(LATE_WRITE_MS);
  return { ...made, isReached };
}
