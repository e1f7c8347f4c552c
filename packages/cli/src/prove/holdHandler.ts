import { setTimeout as sleep } from 'node:timers/promises';
import { LATE_WRITE_MS } from '../limits.js';
import type { Bench, BenchCall, Made } from './Bench.js';

/**
 * Makes a call whose handler runs on after its call was stopped, and waits for what the handler does late.
 *
 * @param stop called when the handler has begun and waits, or has returned
 */
export async function stopCall(
  bench: Bench,
  tool: string,
  args: string,
  { stop, ...options }: BenchCall & { readonly stop: () => void; readonly waitMs: number },
): Promise<Made> {
  let running: Promise<unknown> | undefined;
  bench.intercept(async ({ context }, next) => {
    const { signal } = context;
    running = next();
    running.catch(() => undefined);
    await Promise.resolve();
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
  await Promise.race([running?.catch(() => undefined), sleep(options.waitMs, undefined, { ref: false })]);
  await sleep(LATE_WRITE_MS);
  return made;
}
