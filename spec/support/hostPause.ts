import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** The longest time for which anything from outside may hold the event loop, in milliseconds. */
export const HELD_MS = 50;

/** What a file has measured: the longest of its least pauses, in milliseconds. */
export const measured = { longestPause: 0 };

/**
 * Measures the longest piece of event loop time that `work` holds, in milliseconds: a chain of timers of one millisecond notes each
 * turn of the loop, so that a synchronous piece at the very beginning counts as well. Where Linux tells it, the time in which other
 * processes had the core does not count.
 *
 * @param work may return a promise; its error is thrown on
 */
// eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- says that it may be either
export async function longestPause(work: () => Promise<unknown> | unknown): Promise<number> {
  let [longest, last] = [0, 0];
  const look = (): void => {
    const now = ownTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  await new Promise((resolve) => setImmediate(resolve));
  last = ownTime();
  // A timer rather than immediates, which would take a core from the threads whose end the work waits for.
  const ticks = setInterval(look, 1);
  try {
    await work();
  } finally {
    clearInterval(ticks);
    look();
  }
  // What was left for the end of this turn counts as well.
  await new Promise((resolve) => setImmediate(resolve));
  look();
  return longest;
}

/** Repetitions of a piece of work that holds the event loop for too long, of which another process may be the cause. */
const TIMES = Number(process.env['HOST_PAUSE_TIMES'] ?? 30);

/** The least of the longest pauses in up to `times` repetitions: one within `HELD_MS` ends them. */
// eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- says that it may be either
export async function leastPause(work: () => Promise<unknown> | unknown, times = TIMES): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < times && least > HELD_MS; time++) {
    const before = slowness();
    const pause = await longestPause(work);
    least = Math.min(least, pause / Math.max(before, slowness()));
  }
  measured.longestPause = Math.max(measured.longestPause, least);
  return least;
}

const REFERENCE = JSON.stringify(Array.from({ length: 20_000 }, (_none, index) => ({ id: index, name: 'n' })));
/** What the reference takes on an idle machine, in milliseconds. */
const REFERENCE_MS = 6;

/** How many times slower the machine is at present than when it is idle: processes share caches and cores. */
function slowness(): number {
  const began = ownTime();
  JSON.stringify(JSON.parse(REFERENCE));
  return Math.max(1, (ownTime() - began) / REFERENCE_MS);
}

/** The time without that in which this thread was ready and waited for a core, in milliseconds. */
function ownTime(): number {
  return performance.now() - waitedForCore();
}

/** In milliseconds since the start of the thread; zero where the system does not tell it. */
function waitedForCore(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
