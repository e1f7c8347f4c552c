import { createContext, Script } from 'node:vm';
import { host } from '../../common/builtins.js';
import { MAX_CHECK_ATTEMPTS, MAX_CHECK_MS, MIN_CHECK_MS } from '../../common/limits.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import { runWithoutMatchBudget } from './matchBudget.js';

/** The issue of a value whose check was ended. */
export const tooSlow: ParamIssue = Object.freeze({
  kind: 'constraint',
  path: '',
  message: `could not be checked in ${String(MAX_CHECK_MS)} ms: a pattern or another rule takes too long for it. Shorten its texts, or send less at once`,
});

/**
 * Runs a check that may take any time, and ends it after 40 milliseconds, even inside a regular expression: one that backtracks takes
 * minutes for 16 characters. On a busy machine, a check that did not have the processor for all of that time is begun again, for what is
 * left of it.
 *
 * @param check may be begun several times
 * @param spentMs milliseconds that a check of the same value has taken before
 * @returns undefined if the time was over
 * @throws what `check` throws
 */
export function checkInTime<T>(check: () => T, spentMs = 0): T | undefined {
  let leftMs = Math.floor(MAX_CHECK_MS - spentMs);
  for (let attempt = 1; leftMs >= 1; attempt++) {
    const spent = startStopwatch();
    const done = runWithinTime(leftMs, check);
    if (done !== undefined || attempt === MAX_CHECK_ATTEMPTS) return done?.value;
    const { ms, isOfThread } = spent();
    leftMs = Math.max(Math.floor(leftMs - ms), isOfThread ? 0 : MIN_CHECK_MS);
  }
  return undefined;
}

/** Counts the processor time of this thread; before Node 23.9 the time of the whole process, in which other threads may be at work. */
function startStopwatch(): () => { readonly ms: number; readonly isOfThread: boolean } {
  const { threadCpuUsage } = host as { readonly threadCpuUsage?: typeof host.cpuUsage };
  const usage = (threadCpuUsage ?? host.cpuUsage).bind(host);
  const before = usage();
  return () => {
    const { user, system } = usage(before);
    return { ms: (user + system) / 1_000, isOfThread: threadCpuUsage !== undefined };
  };
}

/** A script that runs `call`, and the object whose member that is: only scripts have a limit of time. Made once, and when it is used. */
let prepared: { readonly script: Script; readonly globals: { call?: () => void } } | undefined;

/**
 * Runs synchronous code of others, which is ended after its time wherever it is, in a regular expression as well. Costs a thread
 * that watches, some 70 microseconds.
 *
 * @param limitMs time limit in milliseconds of the clock
 * @returns undefined if the time was over
 * @throws what `work` throws
 */
function runWithinTime<T>(limitMs: number, work: () => T): { readonly value: T } | undefined {
  const { script, globals } = (prepared ??= { script: new Script('call()'), globals: createContext({}) });
  let done: { readonly value: T } | undefined;
  globals.call = (): void => {
    done = { value: work() };
  };
  try {
    runWithoutMatchBudget(() => void script.runInContext(globals, { timeout: limitMs }));
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  } finally {
    delete globals.call;
  }
  return done;
}
