import { createContext, Script } from 'node:vm';
import { host } from '../../common/builtins.js';
import { MAX_CHECK_ATTEMPTS, MAX_CHECK_MS, MIN_CHECK_MS } from '../../common/limits.js';
import { messageOf } from '../../common/text.js';
import { createPlacedError, ToolwrightError } from '../../error/ToolwrightError.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import { runWithoutMatchBudget } from './matchBudget.js';

/** The issue reported for a value when its check ran out of time. */
export const tooSlow: ParamIssue = Object.freeze({
  kind: 'constraint',
  path: '',
  message: `could not be checked in ${String(MAX_CHECK_MS)} ms: a pattern or another rule takes too long for it. Shorten its texts, or send less at once`,
});

/**
 * Runs a check of unknown duration, and ends it after 40 milliseconds, even inside a regular expression: backtracking can take
 * minutes for 16 characters. On a busy machine, a check that did not get the processor for all of that time is repeated for the
 * remaining time.
 *
 * @param check may be started several times
 * @param spentMs milliseconds that an earlier check of the same value has taken
 * @returns undefined if the time ran out
 * @throws ToolwrightError E418 on a runtime that cannot limit the time of code; the error of `check`
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

/** True for the error of a runtime that cannot limit the time of code. */
export function isUnlimited(thrown: unknown): thrown is ToolwrightError {
  return thrown instanceof ToolwrightError && thrown.code === 'E418';
}

/** Measures the processor time of this thread; before Node 23.9, of the whole process, in which other threads may be busy. */
function startStopwatch(): () => { readonly ms: number; readonly isOfThread: boolean } {
  const { threadCpuUsage } = host as { readonly threadCpuUsage?: typeof host.cpuUsage };
  const usage = (threadCpuUsage ?? host.cpuUsage).bind(host);
  const before = requireTimeLimits(usage);
  return () => {
    const { user, system } = usage(before);
    return { ms: (user + system) / 1_000, isOfThread: threadCpuUsage !== undefined };
  };
}

/** A script that runs `call`, and the global object that provides it: only scripts can have a time limit. Created on first use. */
let prepared: { readonly script: Script; readonly globals: { call?: () => void } } | undefined;

/**
 * Runs synchronous foreign code, and ends it when its time is over, even inside a regular expression. Costs some 70 microseconds
 * for a thread that watches it.
 *
 * @param limitMs time limit in milliseconds of the clock
 * @returns undefined if the time ran out
 * @throws the error of `work`
 */
function runWithinTime<T>(limitMs: number, work: () => T): { readonly value: T } | undefined {
  const { script, globals } = (prepared ??= requireTimeLimits(() => ({
    script: new Script('call()'),
    globals: createContext({}),
  })));
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

/** Calls functions of Node that a time limit needs: other runtimes have them, but may refuse the call. */
function requireTimeLimits<T>(useNode: () => T): T {
  try {
    return useNode();
  } catch (cause) {
    const problem = `expected a runtime that can end a check after ${String(MAX_CHECK_MS)} ms, got: ${messageOf(cause)}`;
    throw createPlacedError(problem, { code: 'E418', cause });
  }
}
