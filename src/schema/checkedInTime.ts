import { createContext, Script } from 'node:vm';
import { host } from '../common/builtins.js';
import type { ParamIssue } from '../error/toolErrors.js';

/** Milliseconds for a check that runs code of others, which may match patterns by backtracking. */
const MOST_MS = 40;
/** Attempts at a check while other processes have the processor. */
const ATTEMPTS = 3;
/** With so few characters, a pattern that doubles its steps with each of them still ends within milliseconds. */
const SHORT = 16;
const SHORT_IN_ALL = 1_000;

/** The issue of a value whose check was ended. */
export const tooSlow: ParamIssue = Object.freeze({
  kind: 'constraint',
  path: '',
  message: `could not be checked in ${String(MOST_MS)} ms: a pattern or another rule takes too long for it. Shorten its texts, or send less at once`,
});

/**
 * Checks a value with code of others, such as rules of another library, which is ended after 40 milliseconds. On a busy machine, one
 * that had less than half of them is begun again. Short texts need no such limit, and a limit costs more than most checks.
 *
 * @param value nested no deeper than arguments may be
 * @param spentMs milliseconds that a check of the same arguments has taken before
 * @returns undefined if the time was over
 * @throws what `check` throws
 */
export function checkedInTime<T>(value: unknown, check: () => T, spentMs = 0): T | undefined {
  if (hasShortTexts(value)) return check();
  const leftMs = Math.floor(MOST_MS - spentMs);
  if (leftMs < 1) return undefined;
  for (let attempt = 1; ; attempt++) {
    const before = host.cpuUsage();
    const done = withinTime(leftMs, check);
    if (done !== undefined || attempt === ATTEMPTS) return done?.value;
    const { user, system } = host.cpuUsage(before);
    // The clock goes on while this process waits for the processor, which is no fault of the check.
    if ((user + system) / 1_000 > leftMs / 2) return undefined;
  }
}

/** True if the texts of a value are so short that no pattern takes long. */
function hasShortTexts(value: unknown): boolean {
  let left = SHORT_IN_ALL;
  const isShort = (part: unknown): boolean => {
    if (typeof part === 'string') return part.length <= SHORT && (left -= part.length) >= 0;
    if (typeof part !== 'object' || part === null) return true;
    return Object.entries(part).every(([key, inner]) => isShort(key) && isShort(inner));
  };
  return isShort(value);
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
function withinTime<T>(limitMs: number, work: () => T): { readonly value: T } | undefined {
  const { script, globals } = (prepared ??= { script: new Script('call()'), globals: createContext({}) });
  let done: { readonly value: T } | undefined;
  globals.call = (): void => {
    done = { value: work() };
  };
  try {
    script.runInContext(globals, { timeout: limitMs });
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  } finally {
    delete globals.call;
  }
  return done;
}
